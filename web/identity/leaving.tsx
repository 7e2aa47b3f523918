import { useState } from 'react'
import { unsentForms } from '#web/saving/drafts.ts'
import { forgetTyped } from '#web/saving/interrupted.ts'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { useSession } from './session.tsx'

const LeavingDialog = dialogOnDemand(async () => (await import('./leaving-dialog.tsx')).LeavingDialog)

/** How long changes may take that are sent before signing out. */
const SENDING_MS = 15_000

/** Returns the outbox of this page, whose code visitors do not download; undefined if that cannot be fetched. */
const loadOutbox = () =>
  import('#web/saving/page-outbox.ts').then(
    ({ outbox }) => outbox,
    () => undefined,
  )

/** What is in this browser only: changes that wait for the connection, which can be sent, and typed text. */
export type Unsent = { hasChanges: boolean; hasText: boolean }

async function findUnsent(personId: string): Promise<Unsent | null> {
  const outbox = await loadOutbox()
  const hasChanges = outbox?.hasWaiting ?? false
  const hasText = unsentForms(personId).length > 0
  return hasChanges || hasText ? { hasChanges, hasText } : null
}

/**
 * Returns a function that signs out by `leave`, and the question that it may ask first: what is not on the server either is sent, stays in
 * this browser, or is discarded. What the server has is removed from this browser without a question.
 */
export function useLeaving(leave: () => void) {
  const personId = useSession().user?._id
  const [unsent, setUnsent] = useState<Unsent | null>(null)

  async function finish(isKept: boolean) {
    setUnsent(null)
    if (!isKept && personId !== undefined) {
      forgetTyped(personId)
      await (await loadOutbox())?.forget(personId)
    }
    leave()
  }

  async function request() {
    const found = personId === undefined ? null : await findUnsent(personId)
    if (found) setUnsent(found)
    else await finish(false)
  }

  /** Sends what waits, and asks again if something is left. Returns whether all was sent. */
  async function send(): Promise<boolean> {
    const outbox = await loadOutbox()
    outbox?.wake()
    await outbox?.drained(SENDING_MS)
    if (outbox?.hasWaiting) return false
    await request()
    return true
  }

  const question = unsent && (
    <LeavingDialog
      unsent={unsent}
      onSend={send}
      onLeave={(isKept) => void finish(isKept)}
      onClose={() => setUnsent(null)}
    />
  )
  return { request: () => void request(), question, preloadProps: LeavingDialog.preloadProps }
}
