import { useState } from 'react'
import type { z } from 'zod'
import { useSession } from '#web/identity/session.tsx'
import { readDraft, removeDraft, storeDraft } from './drafts.ts'

/**
 * What is typed into a form of a field or two, stored with each change, so that a reload, the end of the session or another
 * screen lose nothing of it. `saved` is what the form shows while nothing is typed.
 */
export function useKept<T>(form: string, schema: z.ZodType<T>, saved: T) {
  const { user } = useSession()
  const [draftKey] = useState({ form, personId: user?._id })
  const [restored, setRestored] = useState(() => readDraft(draftKey, schema))
  const [typed, setTyped] = useState(restored ?? saved)

  function type(next: T) {
    setTyped(next)
    if (isSame(next, saved)) removeDraft(draftKey)
    else storeDraft(draftKey, next)
  }

  /** To be called once `sent` is saved: `next` takes its place, unless something else has been typed meanwhile. */
  function end(sent: T, next: T) {
    if (isSame(readDraft(draftKey, schema), sent)) removeDraft(draftKey)
    setTyped((current) => (isSame(current, sent) ? next : current))
  }

  function discard() {
    removeDraft(draftKey)
    setRestored(null)
    setTyped(saved)
  }

  return { typed, type, end, discard, isRestored: restored !== null && !isSame(typed, saved) }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
