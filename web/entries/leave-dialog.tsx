import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type LeaveDialogProps = {
  keepsDraft: boolean
  losesImage: boolean
  onLeave: () => void
  onStay: () => void
}

const DRAFT_STAYS = 'Your draft stays in this browser and comes back when you next add an entry'

/** Asks before the editor is left with text that has not been saved. */
export function LeaveDialog({ keepsDraft, losesImage, onLeave, onStay }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      question="Leave without saving?"
      detail={
        keepsDraft
          ? `${DRAFT_STAYS}${losesImage ? ', but without the image that you chose' : ''}.`
          : 'Your changes to this entry will be lost.'
      }
      verb="Leave"
      onConfirm={onLeave}
      onClose={onStay}
    />
  )
}
