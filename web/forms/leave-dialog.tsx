import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type LeaveDialogProps = {
  /** What becomes of the text. */
  detail: string
  onLeave: () => void
  onStay: () => void
}

/** Asks before a form is left with text that has not been saved. */
export function LeaveDialog({ detail, onLeave, onStay }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      question="Leave without saving?"
      detail={detail}
      verb="Leave"
      onConfirm={onLeave}
      onClose={onStay}
    />
  )
}
