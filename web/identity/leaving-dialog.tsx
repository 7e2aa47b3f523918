import { useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import type { Unsent } from './leaving.tsx'

type LeavingDialogProps = {
  unsent: Unsent
  /** Sends the changes; resolves to whether all of them were sent. */
  onSend: () => Promise<boolean>
  onLeave: (isKept: boolean) => void
  onClose: () => void
}

/** Asks before signing out what becomes of what only this browser has. */
export function LeavingDialog({
  unsent: { hasChanges, hasText },
  onSend,
  onLeave,
  onClose,
}: LeavingDialogProps) {
  const [isSending, setSending] = useState(false)
  const [hasFailed, setFailed] = useState(false)

  async function send() {
    setSending(true)
    setFailed(false)
    const isSent = await onSend()
    setFailed(!isSent)
    setSending(false)
  }

  return (
    <Dialog
      open
      sticky
      onOpenChange={(stays) => !stays && onClose()}
      title="Keep what you have not saved?"
      description={description(hasChanges, hasText)}
    >
      {hasFailed && (
        <DialogBody>
          <Banner>Your changes could not be sent yet. Check your connection, or keep them here.</Banner>
        </DialogBody>
      )}
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="warning" onClick={() => onLeave(false)}>
          Discard it
        </Button>
        <Button variant={hasChanges ? 'secondary' : 'primary'} onClick={() => onLeave(true)}>
          Keep it here
        </Button>
        {hasChanges && (
          <Button variant="primary" busy={isSending} onClick={() => void send()}>
            Send it now
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}

function description(hasChanges: boolean, hasText: boolean): string {
  if (!hasChanges)
    return 'You typed text that is in this browser only. If you keep it, it is here when you sign in again, and whoever uses this browser could read it.'
  return hasText
    ? 'You made changes that wait for the connection, and typed text that is in this browser only. If you keep them, they are here when you sign in again, and whoever uses this browser could read them.'
    : 'You made changes that wait for the connection. If you keep them, they are sent when you sign in again, and whoever uses this browser could read them.'
}
