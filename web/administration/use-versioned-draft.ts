import { useRef, useState } from 'react'
import { z } from 'zod'
import { currentOf } from '#web/api/api-error.ts'
import { readFormDraft, removeFormDraft, storeFormDraft } from '#web/forms/form-drafts.ts'
import { useStoreOnLeave } from '#web/forms/use-form-draft-state.ts'
import { useSession } from '#web/identity/session.tsx'
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
type Draft<T> = { typed: T; original: Versioned<T> }

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
  const [stored] = useState(() => {
    const original = z.object({ value: schema, version: z.number() })
    return z.object({ typed: schema, original })
  })
  const [kept, setKept] = useState<Draft<T> | null>(() => readFormDraft(draftKey, stored))
  const [isRestored, setRestored] = useState(kept !== null)
  const [theirs, setTheirs] = useState<Versioned<T> | null>(null)
  /** The result of the last save, which may not have been fetched yet. */
  const [settled, setSettled] = useState(fetched)
  /** The latest draft, for calls that complete after a further change. */
  const held = useRef(kept)
  /** The draft that was typed here and is neither saved nor discarded. */
  const unsaved = useRef<Draft<T>>(undefined)
  useStoreOnLeave(draftKey, unsaved)
  const saved = settled.version > fetched.version ? settled : fetched
  // The draft may be saved already, if the response was lost.
  const draft = kept && !isSame(kept.typed, saved.value) ? kept : null
  const typed = draft?.typed ?? saved.value

  function hold(next: Draft<T> | null) {
    held.current = next
    unsaved.current = next ?? undefined
    setKept(next)
    if (next) {
      storeFormDraft(draftKey, next)
    } else {
      setRestored(false)
      removeFormDraft(draftKey)
    }
  }

  function type(next: T) {
    const original = draft?.original ?? saved
    if (!isSame(next, (theirs ?? original).value)) return hold({ typed: next, original })
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
    if (isSame(now?.typed, sent)) unsaved.current = undefined
    // The draft may have changed since, here or after this screen was opened again.
    if (!isSame(readFormDraft(draftKey, stored), now)) return
    hold(now === null || isSame(now.typed, sent) ? null : { typed: now.typed, original: next })
  }

  function meet(current: Versioned<T>) {
    setSettled(current)
    const now = held.current
    if (now === null) return toast.error('This was changed elsewhere. Look at what is saved now.')
    const before = (theirs ?? now.original).value
    const rebased = { ...now.typed, ...pick(current.value, (field) => now.typed[field] === before[field]) }
    const isTheirs = isSame(rebased, current.value)
    setTheirs(isTheirs ? null : current)
    hold(isTheirs ? null : { ...now, typed: rebased })
  }

  /**
   * Saves `next` over the version that the form knows, by a call that resolves to the new version. Returns whether it is saved;
   * that includes a save before this page was loaded whose response was lost. The call itself reports failures other than stale
   * saves.
   */
  async function save(next: T, call: (version: number) => Promise<number>): Promise<boolean> {
    const { version } = theirs ?? draft?.original ?? saved
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
    conflict: theirs && draft && { theirs: theirs.value, original: draft.original.value },
  }
}

const pick = (value: Record<string, string>, isTaken: (field: string) => boolean) =>
  Object.fromEntries(Object.entries(value).filter(([field]) => isTaken(field)))

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
