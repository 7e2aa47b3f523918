import { useState } from 'react'
import { forgetTyped, unsentKeys } from '#web/api/typed-text.ts'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { useSession } from './session.tsx'

const LeavingDialog = dialogOnDemand(async () => (await import('./leaving-dialog.tsx')).LeavingDialog)

/**
 * Returns a function that signs out by `leave`, and the question that it may ask first: what was typed and is not on the server either
 * stays in this browser, or is discarded. What the server has is removed from this browser without a question.
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

  const question = isAsking && <LeavingDialog onLeave={finish} onClose={() => setAsking(false)} />
  return { request, question, preloadProps: LeavingDialog.preloadProps }
}
