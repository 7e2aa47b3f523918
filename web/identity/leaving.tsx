import { useState } from 'react'
import { forgetTyped, typedKeys } from '#web/forms/typed-text.ts'
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

  async function request() {
    if (personId === undefined) return leave()
    if (await hasUnsentText(personId)) setAsking(true)
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

/** Whether this browser has a text that the server lacks; yes if that cannot be found out. */
async function hasUnsentText(personId: string): Promise<boolean> {
  const keys = typedKeys(personId)
  if (keys.length === 0) return false
  try {
    const { isOnServer } = await import('#web/entries/editor/sent-text.ts')
    return keys.some((key) => !isOnServer(key, personId))
  } catch {
    return true
  }
}
