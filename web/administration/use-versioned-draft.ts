import { useRef, useState } from 'react'
import { z } from 'zod'
import { currentOf } from '#web/api/api-error.ts'
import { useUnsaved } from '#web/forms/use-form-draft-state.ts'
import { useSession } from '#web/identity/session.tsx'
import { readDraft } from '#web/saving/drafts.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

/** The saved fields of a form, and their version. */
export type Versioned<T> = { value: T; version: number }

type Form<T> = {
  /** The form's name in `formNames`. */
  name: string
  schema: z.ZodType<T>
  /** Returns the current values from the refusal of a stale save. */
  versionOf: (current: unknown) => Versioned<T>
}

/** The typed fields, and the saved version on which they are based. */
type Draft<T> = { fields: T; base: Versioned<T> }

/**
 * The state of a form that several administrators may edit at the same time. As in `useFormDraftState`, each change is stored as a
 * draft, here with the version on which it is based. After a stale save, unchanged fields take their values from the current
 * version, `theirs`, which the next save replaces.
 */
export function useVersionedDraft<T extends Record<string, string>>(
  { name, schema, versionOf }: Form<T>,
  fetched: Versioned<T>,
) {
  const { user } = useSession()
  const [draftKey] = useState({ form: name, personId: user?._id })
  const [based] = useState(() => z.object({ value: schema, version: z.number() }))
  function read(): Draft<T> | null {
    const stored = readDraft(draftKey, schema, based)
    return stored?.base ? { fields: stored.fields, base: stored.base } : null
  }
  const [kept, setKept] = useState(read)
  const [isRestored, setRestored] = useState(kept !== null)
  const [theirs, setTheirs] = useState<Versioned<T> | null>(null)
  /** The result of the last save, which may not have been fetched yet. */
  const [settled, setSettled] = useState(fetched)
  /** The latest draft, for calls that complete after a further change. */
  const held = useRef(kept)
  const { hold: keep, settle } = useUnsaved(draftKey)
  const saved = settled.version > fetched.version ? settled : fetched
  // The draft may be saved already, if the response was lost.
  const draft = kept && !isSame(kept.fields, saved.value) ? kept : null
  const typed = draft?.fields ?? saved.value

  function hold(next: Draft<T> | null) {
    held.current = next
    keep(next)
    setKept(next)
    if (!next) setRestored(false)
  }

  function type(next: T) {
    const base = draft?.base ?? saved
    if (!isSame(next, (theirs ?? base).value)) return hold({ fields: next, base })
    setTheirs(null)
    hold(null)
  }

  /** Returns the function that brings the draft back. */
  function discard(): () => void {
    const discarded = held.current
    setTheirs(null)
    hold(null)
    return () => {
      setRestored(discarded !== null)
      hold(discarded)
    }
  }

  function end(sent: T, next: Versioned<T>) {
    setSettled(next)
    setTheirs(null)
    const now = held.current
    settle(sent)
    // The draft may have changed since, here or after this screen was opened again.
    if (!isSame(read(), now)) return
    hold(now === null || isSame(now.fields, sent) ? null : { fields: now.fields, base: next })
  }

  function meet(current: Versioned<T>) {
    setSettled(current)
    const now = held.current
    if (now === null) return toast.error('This was changed elsewhere. Look at what is saved now.')
    const before = (theirs ?? now.base).value
    const rebased = { ...now.fields, ...pick(current.value, (field) => now.fields[field] === before[field]) }
    const isTheirs = isSame(rebased, current.value)
    setTheirs(isTheirs ? null : current)
    hold(isTheirs ? null : { ...now, fields: rebased })
  }

  /**
   * Saves `next` over the version that the form knows, by a call that resolves to the new version. Returns whether it is saved;
   * that includes a save before this page was loaded whose response was lost. The call itself reports failures other than stale
   * saves.
   */
  async function save(next: T, call: (version: number) => Promise<number>): Promise<boolean> {
    const { version } = theirs ?? draft?.base ?? saved
    try {
      end(typed, { value: next, version: await call(version) })
      return true
    } catch (error) {
      const refused = currentOf(error)
      if (refused === null) return false
      const current = versionOf(refused)
      const isSaved = isSame(current.value, next)
      if (isSaved) {
        end(typed, current)
        toast.success('This is saved')
      } else {
        meet(current)
      }
      return isSaved
    }
  }

  return {
    typed,
    saved,
    type,
    save,
    discard,
    isRestored: isRestored && draft !== null,
    conflict: theirs && draft && { theirs: theirs.value, original: draft.base.value },
  }
}

const pick = (value: Record<string, string>, isTaken: (field: string) => boolean) =>
  Object.fromEntries(Object.entries(value).filter(([field]) => isTaken(field)))

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
