import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { useSession } from '#web/identity/session.tsx'
import {
  type DraftKey,
  type LocalDraft,
  readDraft,
  removeDraft,
  storageKey,
  storeDraft,
} from '#web/saving/drafts.ts'

/**
 * The state of a form of one or two fields. Each change is stored as a draft, which survives a reload, the end of the session
 * and navigation. `saved` is the value that the form shows without a draft. All tabs share one draft: the one typed last, or left
 * last.
 */
export function useFormDraftState<T>(form: string, schema: z.ZodType<T>, saved: T) {
  const { user } = useSession()
  const [draftKey] = useState({ form, personId: user?._id })
  const read = (): T | null => readDraft(draftKey, schema)?.fields ?? null
  const [restored, setRestored] = useState(read)
  const [typed, setTyped] = useState(restored ?? saved)
  const { hold, settle } = useUnsaved(draftKey)

  function type(next: T) {
    setTyped(next)
    hold(isSame(next, saved) ? null : { fields: next })
  }

  /** Call this once `sent` is saved: replaces it by `next`, unless the user has typed something else since. */
  function end(sent: T, next: T) {
    if (isSame(read(), sent)) removeDraft(draftKey)
    settle(sent)
    setTyped((current) => (isSame(current, sent) ? next : current))
  }

  /** Returns the function that brings the draft back. */
  function discard(): () => void {
    const discarded = typed
    hold(null)
    setRestored(null)
    setTyped(saved)
    return () => {
      setRestored(discarded)
      type(discarded)
    }
  }

  return { typed, type, end, discard, isRestored: restored !== null && !isSame(typed, saved) }
}

type Unsaved = Omit<LocalDraft, 'at'>

/** What was typed in forms of this page and is neither saved nor discarded, also while its form is closed. */
const typedHere = new Map<string, Unsaved>()

/**
 * Holds what is typed in a form. It is stored again when the form or the page is left: another tab may have replaced or removed the
 * draft since.
 */
export function useUnsaved(draftKey: DraftKey) {
  const name = storageKey(draftKey)

  useEffect(() => {
    function storeAgain() {
      const typed = typedHere.get(name)
      // After signing out it is not stored, and nothing of it stays.
      if (typed && !storeDraft(draftKey, typed)) typedHere.delete(name)
    }
    addEventListener('pagehide', storeAgain)
    return () => {
      removeEventListener('pagehide', storeAgain)
      storeAgain()
    }
  }, [draftKey, name])

  /** Stores a draft, or removes it. */
  function hold(draft: Unsaved | null) {
    if (draft) {
      typedHere.set(name, draft)
      storeDraft(draftKey, draft)
    } else {
      typedHere.delete(name)
      removeDraft(draftKey)
    }
  }

  /** Forgets what was saved, unless something else was typed since. */
  function settle(sent: unknown) {
    if (isSame(typedHere.get(name)?.fields, sent)) typedHere.delete(name)
  }

  return { hold, settle }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
