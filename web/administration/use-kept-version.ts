import { useRef, useState } from 'react'
import { z } from 'zod'
import { currentOf } from '#web/api/api-error.ts'
import { readDraft, removeDraft, storeDraft } from '#web/forms/drafts.ts'
import { useSession } from '#web/identity/session.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'

/** The fields of a form as they are saved, and the version that they are. */
export type Versioned<T> = { value: T; version: number }

type Kept<T> = {
  /** The name of `formNames`. */
  name: string
  schema: z.ZodType<T>
  /** Reads what a stale save was refused with. */
  versionOf: (current: unknown) => Versioned<T>
}

/** What is typed, and what it was typed over. */
type Draft<T> = { typed: T; original: Versioned<T> }

/**
 * What is typed into a form of a few fields that other administrators may save meanwhile, stored as `useKept` stores it,
 * with the version that it was typed over. While nothing is typed, the form shows what is saved. Where a save is refused as
 * stale, fields without changes take the values of the other version, `theirs`, which the next save replaces.
 */
export function useKeptVersion<T extends Record<string, string>>(
  { name, schema, versionOf }: Kept<T>,
  fetched: Versioned<T>,
) {
  const { user } = useSession()
  const [draftKey] = useState({ form: name, personId: user?._id })
  const [stored] = useState(() => {
    const original = z.object({ value: schema, version: z.number() })
    return z.object({ typed: schema, original })
  })
  const [kept, setKept] = useState<Draft<T> | null>(() => readDraft(draftKey, stored))
  const [isRestored, setRestored] = useState(kept !== null)
  const [theirs, setTheirs] = useState<Versioned<T> | null>(null)
  /** What a save of this form came to, which may not be fetched yet. */
  const [settled, setSettled] = useState(fetched)
  /** For calls that end after something else was typed. */
  const held = useRef(kept)
  const saved = settled.version > fetched.version ? settled : fetched
  // What is typed may be saved already, where the answer to that was lost.
  const draft = kept && !isSame(kept.typed, saved.value) ? kept : null
  const typed = draft?.typed ?? saved.value

  function hold(next: Draft<T> | null) {
    held.current = next
    setKept(next)
    if (next) {
      storeDraft(draftKey, next)
    } else {
      setRestored(false)
      removeDraft(draftKey)
    }
  }

  function type(next: T) {
    const original = draft?.original ?? saved
    if (!isSame(next, (theirs ?? original).value)) return hold({ typed: next, original })
    setTheirs(null)
    hold(null)
  }

  function discard() {
    setTheirs(null)
    hold(null)
  }

  function end(sent: T, next: Versioned<T>) {
    setSettled(next)
    setTheirs(null)
    const now = held.current
    // Something else may have been typed since, also on this screen opened again.
    if (!isSame(readDraft(draftKey, stored), now)) return
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
   * Makes a call that puts `next` in the place of the version that the form knows, and resolves to the version of that.
   * Returns whether it is saved, also where that was done before this page was loaded and its answer was lost; otherwise the call reports why not, unless it was stale.
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
