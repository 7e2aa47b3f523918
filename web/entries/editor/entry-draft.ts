import { z } from 'zod'
import { type StoredCalls, storedCalls } from '#web/forms/stored-calls.ts'
import { milestoneRef } from './composer-settings.ts'

export const DRAFT_KEY = 'entryDraft'
/** Who wrote the draft, so that nobody else who uses this browser is shown it. The draft's own shape is specified. */
const WRITER_KEY = 'entryDraftWriter'
/** The milestone that the draft was begun in. */
const ORIGIN_KEY = 'entryDraftOrigin'
/** What the composer has sent of it that may have been done. */
const CALLS_KEY = 'entryDraftCalls'

export const entryText = z.object({ title: z.string(), content: z.string(), tags: z.array(z.string()) })

/** The fields of an entry as the editor holds them. */
export type EntryText = z.infer<typeof entryText>

/** What was chosen for an entry besides its text. Absent is what stays as it is. */
export const entryChoices = z.object({
  day: z.string().optional(),
  /** The milestone that the entry is to be moved to. Browsers have stored it under this name. */
  place: milestoneRef.optional(),
  /** The file that is to be its cover; null for none. */
  coverFile: z.string().nullable().optional(),
})
export type EntryChoices = z.infer<typeof entryChoices>

export const hasChoices = ({ day, place, coverFile }: EntryChoices): boolean =>
  day !== undefined || place !== undefined || coverFile !== undefined

const draftOrigin = z.object({
  projectId: z.string().optional(),
  milestoneId: z.string(),
  milestoneTitle: z.string(),
  projectTitle: z.string(),
  day: entryChoices.shape.day,
  coverFile: entryChoices.shape.coverFile,
})

/** The milestone that a draft was begun in. */
export type DraftOrigin = z.infer<typeof draftOrigin>

export const BLANK: EntryText = { title: '', content: '', tags: [] }

/** The text of what has more to it. */
export const textOf = ({ title, content, tags }: EntryText): EntryText => ({ title, content, tags })

/** Returns the draft of a new entry that this person left in this browser, or null. */
export function readNewEntryDraft(personId: string | undefined): EntryText | null {
  try {
    const writer = localStorage.getItem(WRITER_KEY)
    if (writer !== null && writer !== personId) return null
    return entryText.parse(JSON.parse(localStorage.getItem(DRAFT_KEY) ?? 'null'))
  } catch {
    // There is none, it is not ours, or the browser forbids storage: the editor begins blank.
    return null
  }
}

/** Returns where the stored draft was begun, or null if that is unknown. */
export function readDraftOrigin(): DraftOrigin | null {
  try {
    return draftOrigin.parse(JSON.parse(localStorage.getItem(ORIGIN_KEY) ?? 'null'))
  } catch {
    // There is none, it is not ours, or the browser forbids storage.
    return null
  }
}

/** Returns what this person has sent of the stored draft and may have been done; undefined if nothing was. */
export function readNewEntryCalls(personId: string | undefined): StoredCalls {
  if (readNewEntryDraft(personId) === null) return undefined
  try {
    return storedCalls.parse(JSON.parse(localStorage.getItem(CALLS_KEY) ?? 'null'))
  } catch {
    // It is not ours, or the browser forbids storage.
    return undefined
  }
}

/** The result of storing a draft; `none` if there was nothing to store. */
export type DraftState = 'none' | 'stored' | 'not stored'

/** Stores the draft of a new entry. Without a title and content, it removes the stored draft instead. */
export function storeNewEntryDraft(
  { title, content, tags }: EntryText,
  personId: string | undefined,
  origin: DraftOrigin,
  calls?: StoredCalls,
): DraftState {
  if (title === '' && content === '') {
    removeNewEntryDraft()
    return 'none'
  }
  try {
    if (personId !== undefined) localStorage.setItem(WRITER_KEY, personId)
    localStorage.setItem(ORIGIN_KEY, JSON.stringify(origin))
    localStorage.setItem(DRAFT_KEY, JSON.stringify({ title, content, tags }))
  } catch {
    return 'not stored'
  }
  storeNewEntryCalls(calls)
  return 'stored'
}

function storeNewEntryCalls(calls: StoredCalls) {
  try {
    localStorage.removeItem(CALLS_KEY)
    if (calls) localStorage.setItem(CALLS_KEY, JSON.stringify(calls))
  } catch {
    // The browser is nearly full: it has the text.
  }
}

export function removeNewEntryDraft(): void {
  try {
    localStorage.removeItem(DRAFT_KEY)
    localStorage.removeItem(WRITER_KEY)
    localStorage.removeItem(ORIGIN_KEY)
    localStorage.removeItem(CALLS_KEY)
  } catch {
    // A browser that forbids storage has no draft either.
  }
}

/** Whether two texts differ in anything that would be saved. */
export function differ(a: EntryText, b: EntryText): boolean {
  return (
    a.title !== b.title ||
    a.content !== b.content ||
    a.tags.length !== b.tags.length ||
    a.tags.some((tag, index) => tag !== b.tags[index])
  )
}
