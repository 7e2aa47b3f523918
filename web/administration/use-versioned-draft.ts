import { useState } from 'react'
import { z } from 'zod'
import { currentOf } from '#web/api/api-error.ts'
import { isSame, useStoredDraft } from '#web/forms/use-form-draft-state.ts'
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

/**
 * The state of a form that several administrators may edit at the same time. As in `useFormDraftState`, each change is stored as a
 * draft, here with the version on which it is based. After a stale save, unchanged fields take their values from the current
 * version, `theirs`, which the next save replaces.
 */
export function useVersionedDraft<T extends Record<string, string>>(
  { name, schema, versionOf }: Form<T>,
  fetched: Versioned<T>,
) {
  const [based] = useState(() => z.object({ value: schema, version: z.number() }))
  const stored = useStoredDraft<T, Versioned<T>>(name, schema, based)
  const [theirs, setTheirs] = useState<Versioned<T> | null>(null)
  /** The result of the last save, which may not have been fetched yet. */
  const [settled, setSettled] = useState(fetched)
  const saved = settled.version > fetched.version ? settled : fetched
  // The draft may be saved already, if the response was lost.
  const draft = stored.draft && !isSame(stored.draft.fields, saved.value) ? stored.draft : null
  const typed = draft?.fields ?? saved.value
  const base = draft?.base ?? saved

  function type(next: T) {
    const isTyped = !isSame(next, (theirs ?? base).value)
    if (!isTyped) setTheirs(null)
    stored.hold(isTyped ? { fields: next, base } : null)
  }

  /** Returns the function that brings the draft back. */
  function discard(): () => void {
    setTheirs(null)
    return stored.discard()
  }

  function end(sent: T, next: Versioned<T>) {
    setSettled(next)
    setTheirs(null)
    const since = stored.settle(sent)
    if (since) stored.hold({ fields: since.fields, base: next })
  }

  function meet(current: Versioned<T>) {
    setSettled(current)
    const now = stored.latest()
    if (!now?.base) return toast.error('This was changed elsewhere. Look at what is saved now.')
    const before = (theirs ?? now.base).value
    const rebased = { ...now.fields, ...pick(current.value, (field) => now.fields[field] === before[field]) }
    const isTheirs = isSame(rebased, current.value)
    setTheirs(isTheirs ? null : current)
    stored.hold(isTheirs ? null : { ...now, fields: rebased })
  }

  /**
   * Saves `next` over the version that the form knows, by a call that resolves to the new version. Returns whether it is saved;
   * that includes a save before this page was loaded whose response was lost. The call itself reports failures other than stale
   * saves.
   */
  async function save(next: T, call: (version: number) => Promise<number>): Promise<boolean> {
    const { version } = theirs ?? base
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
    isRestored: stored.isRestored && draft !== null,
    conflict: theirs && draft && { theirs: theirs.value, original: base.value },
  }
}

const pick = (value: Record<string, string>, isTaken: (field: string) => boolean) =>
  Object.fromEntries(Object.entries(value).filter(([field]) => isTaken(field)))
