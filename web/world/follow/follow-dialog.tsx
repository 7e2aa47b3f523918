import { Dialog, DialogBody } from '#web/ui/dialogs/dialog.tsx'
import { FollowOptions } from './follow-options.tsx'

type FollowDialogProps = { projectId: string; title: string; onClose: () => void }

/** The dialog of 'Follow' on public pages. */
export function FollowDialog({ projectId, title, onClose }: FollowDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Follow This Project"
      description={<bdi lang="">{title}</bdi>}
    >
      <DialogBody>
        <FollowOptions projectId={projectId} origin={window.location.href} />
      </DialogBody>
    </Dialog>
  )
}
