import { Button } from '#web/ui/controls/button.tsx'
import { Dialog, DialogFooter } from '#web/ui/dialogs/dialog.tsx'

type LeavingDialogProps = { onLeave: (isKept: boolean) => void; onClose: () => void }

/** Asks before signing out whether text that only this browser has stays in it. */
export function LeavingDialog({ onLeave, onClose }: LeavingDialogProps) {
  return (
    <Dialog
      open
      sticky
      onOpenChange={(stays) => !stays && onClose()}
      title="Keep what you have not saved?"
      description="You typed text that is in this browser only. If you keep it, it is here when you sign in again, and whoever uses this browser could read it."
    >
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="warning" onClick={() => onLeave(false)}>
          Discard it
        </Button>
        <Button variant="primary" onClick={() => onLeave(true)}>
          Keep it here
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
