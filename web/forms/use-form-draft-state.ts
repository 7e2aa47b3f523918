import { type RefObject, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { useSession } from '#web/identity/session.tsx'
import { type FormDraftKey, readFormDraft, removeFormDraft, storeFormDraft } from './form-drafts.ts'

/**
 * The state of a form of one or two fields. Each change is stored as a draft, which survives a reload, the end of the session
 * and navigation. `saved` is the value that the form shows without a draft. All tabs share one draft: the one typed last, or left
 * last.
 */
export function useFormDraftState<T>(form: string, schema: z.ZodType<T>, saved: T) {
  const { user } = useSession()
  const [draftKey] = useState({ form, personId: user?._id })
  const [restored, setRestored] = useState(() => readFormDraft(draftKey, schema))
  const [typed, setTyped] = useState(restored ?? saved)
  /** What was typed here and is neither saved nor discarded. */
  const unsaved = useRef<T>(undefined)
  useStoreOnLeave(draftKey, unsaved)

  function type(next: T) {
    setTyped(next)
    unsaved.current = isSame(next, saved) ? undefined : next
    if (isSame(next, saved)) removeFormDraft(draftKey)
    else storeFormDraft(draftKey, next)
  }

  /** Call this once `sent` is saved: replaces it by `next`, unless the user has typed something else since. */
  function end(sent: T, next: T) {
    if (isSame(readFormDraft(draftKey, schema), sent)) removeFormDraft(draftKey)
    if (isSame(unsaved.current, sent)) unsaved.current = undefined
    setTyped((current) => (isSame(current, sent) ? next : current))
  }

  /** Returns the function that brings the draft back. */
  function discard(): () => void {
    const discarded = typed
    unsaved.current = undefined
    removeFormDraft(draftKey)
    setRestored(null)
    setTyped(saved)
    return () => {
      setRestored(discarded)
      type(discarded)
    }
  }

  return { typed, type, end, discard, isRestored: restored !== null && !isSame(typed, saved) }
}

/** Stores `unsaved` again when the form or the page is left: another tab may have replaced or removed the draft since it was typed. */
export function useStoreOnLeave(draftKey: FormDraftKey, unsaved: RefObject<unknown>): void {
  useEffect(() => {
    function storeAgain() {
      if (unsaved.current !== undefined) storeFormDraft(draftKey, unsaved.current)
    }
    addEventListener('pagehide', storeAgain)
    return () => {
      removeEventListener('pagehide', storeAgain)
      storeAgain()
    }
  }, [draftKey, unsaved])
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
