import { useState } from 'react'
import { forgetTyped, unsentKeys } from '#web/api/typed-text.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { useSession } from './session.tsx'

/**
 * Returns a function that signs out by `leave`, and the question that it may ask first: what was typed and is not on the server either
 * stays in this browser, or is discarded.
 */
export function useLeaving(leave: () => void) {
  const personId = useSession().user?._id
  const [isAsking, setAsking] = useState(false)

  function finish(isKept: boolean) {
    setAsking(false)
    if (!isKept && personId !== undefined) forgetTyped(personId)
    leave()
  }

  function request() {
    if (personId !== undefined && unsentKeys(personId).length > 0) setAsking(true)
    else finish(false)
  }

  const question = isAsking && (
    <Dialog
      open
      sticky
      onOpenChange={(stays) => !stays && setAsking(false)}
      title="Keep what you have not saved?"
      description="You typed text that is in this browser only. If you keep it, it is here when you sign in again, and whoever uses this browser could read it."
    >
      <DialogFooter>
        <Button onClick={() => setAsking(false)}>Cancel</Button>
        <Button variant="warning" onClick={() => finish(false)}>
          Discard it
        </Button>
        <Button variant="primary" onClick={() => finish(true)}>
          Keep it here
        </Button>
      </DialogFooter>
    </Dialog>
  )
  return { request, question }
}
