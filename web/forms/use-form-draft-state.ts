import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { useSession } from '#web/identity/session.tsx'
import { type LocalDraft, readDraft, removeDraft, storageKey, storeDraft } from '#web/saving/drafts.ts'

/**
 * The state of a form of one or two fields. Each change is stored as a draft, which survives a reload, the end of the session
 * and navigation. `saved` is the value that the form shows without a draft.
 */
export function useFormDraftState<T>(form: string, schema: z.ZodType<T>, saved: T) {
  const { draft, latest, hold, settle, discard, isRestored } = useStoredDraft(form, schema)
  const [shown, setShown] = useState(saved)
  const typed = draft?.fields ?? shown

  function show(value: T) {
    setShown(value)
    hold(null)
  }

  /** Call this once `sent` is saved: replaces it by `next`, unless the user has typed something else since. */
  function end(sent: T, next: T) {
    const now = latest()
    setShown((current) => (isSame(now ? now.fields : current, sent) ? next : current))
    settle(sent)
  }

  /** Returns the function that brings the draft back. */
  function discardDraft(): () => void {
    setShown(saved)
    return discard()
  }

  const type = (next: T) => (isSame(next, saved) ? show(next) : hold({ fields: next }))
  const isBack = isRestored && !isSame(typed, saved)
  return { typed, type, end, discard: discardDraft, isRestored: isBack }
}

type Unsaved<T = unknown, Base = unknown> = Pick<LocalDraft<T, Base>, 'fields' | 'base'>

/** What was typed in forms of this page and is neither saved nor discarded, also while its form is closed. */
const typedHere = new Map<string, Unsaved>()

/**
 * The draft of a short form, and what it is based on. All tabs share one stored draft: the one typed last, or left last. It is stored
 * again when the form or the page is left, because another tab may have replaced or removed it since.
 */
export function useStoredDraft<T, Base = undefined>(
  form: string,
  fields: z.ZodType<T>,
  base?: z.ZodType<Base>,
) {
  const { user } = useSession()
  const [draftKey] = useState({ form, personId: user?._id })
  const name = storageKey(draftKey)
  const [draft, setDraft] = useState(read)
  const [isRestored, setRestored] = useState(draft !== null)
  /** The latest draft, for calls that complete after a further change. */
  const held = useRef(draft)

  function read(): Unsaved<T, Base> | null {
    const stored = readDraft(draftKey, fields, base)
    return stored && { fields: stored.fields, base: stored.base }
  }

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

  function show(next: Unsaved<T, Base> | null) {
    held.current = next
    setDraft(next)
    if (!next) setRestored(false)
  }

  /** Stores a draft, or removes it. */
  function hold(next: Unsaved<T, Base> | null) {
    if (next) {
      typedHere.set(name, next)
      storeDraft(draftKey, next)
    } else {
      typedHere.delete(name)
      removeDraft(draftKey)
    }
    show(next)
  }

  /** `sent` is saved. Returns what was typed since, unless this form or another tab has replaced it. */
  function settle(sent: T): Unsaved<T, Base> | null {
    const [stored, now] = [read(), held.current]
    if (isSame(typedHere.get(name)?.fields, sent)) typedHere.delete(name)
    if (isSame(stored?.fields, sent)) removeDraft(draftKey)
    if (!now || isSame(now.fields, sent)) show(null)
    return isSame(stored, now) ? held.current : null
  }

  /** Returns the function that brings the draft back. */
  function discard(): () => void {
    const discarded = held.current
    hold(null)
    return () => {
      setRestored(discarded !== null)
      hold(discarded)
    }
  }

  return { draft, hold, settle, discard, isRestored, latest: () => held.current }
}

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
