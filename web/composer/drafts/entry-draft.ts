import { z } from 'zod'
import { DEFAULT_COVER } from '#contract/covers.ts'
import type { Entry } from '#contract/entries.ts'
import { readStored, readStoredAs, store } from '#web/api/browser-storage.ts'
import { isForgotten } from '#web/api/typed-text.ts'
import { milestoneRef } from '#web/composer/shell/composer-settings.ts'

export const DRAFT_KEY = 'entryDraft'
/** The author of the draft, so that no other user of this browser sees it. The shape of the draft itself is specified. */
const WRITER_KEY = 'entryDraftWriter'
/** The milestone of the draft. */
const ORIGIN_KEY = 'entryDraftOrigin'

export const entryText = z.object({ title: z.string(), content: z.string(), tags: z.array(z.string()) })

/** The fields of an entry in the editor. */
export type EntryText = z.infer<typeof entryText>

/** The choices for an entry besides its text. Absent fields are unchanged. */
export const entryChoices = z.object({
  day: z.string().optional(),
  /** The milestone to move the entry to. Browsers have stored it under this name. */
  place: milestoneRef.optional(),
  /** The choice of its cover: a file, null for none, or `default`. */
  coverFile: z.string().nullable().optional(),
})
export type EntryChoices = z.infer<typeof entryChoices>

/** Returns the choice of the cover of an entry; that of a new one is the default. */
export const coverOf = (entry: Pick<Entry, 'coverFile'> | undefined): string | null =>
  entry?.coverFile === undefined ? DEFAULT_COVER : entry.coverFile

export const hasChoices = (choices: EntryChoices): boolean =>
  entryChoices.keyof().options.some((field) => choices[field] !== undefined)

const draftOrigin = z.object({
  projectId: z.string().optional(),
  milestoneId: z.string(),
  milestoneTitle: z.string(),
  projectTitle: z.string(),
  day: entryChoices.shape.day,
  coverFile: entryChoices.shape.coverFile,
  /** The id of the entry, once the composer has sent it. */
  id: z.string().optional(),
})

/** The milestone of a draft. */
export type DraftOrigin = z.infer<typeof draftOrigin>

export const BLANK: EntryText = { title: '', content: '', tags: [] }

/** Returns only the text of an entry or a draft. */
export const textOf = ({ title, content, tags }: EntryText): EntryText => ({ title, content, tags })

/** Returns this person's stored draft of a new entry in this browser, or null. */
export function readNewEntryDraft(personId: string | undefined): EntryText | null {
  const writer = readStored(WRITER_KEY)
  return writer !== null && writer !== personId ? null : readStoredAs(DRAFT_KEY, entryText)
}

/** Returns the milestone of the stored draft, or null if that is unknown. */
export const readDraftOrigin = (): DraftOrigin | null => readStoredAs(ORIGIN_KEY, draftOrigin)

/** The result of storing a draft; `none` if there was nothing to store. */
export type DraftState = 'none' | 'stored' | 'not stored'

/** Stores the draft of a new entry. Without a title and content, it removes the stored draft instead. */
export function storeNewEntryDraft(
  { title, content, tags }: EntryText,
  personId: string | undefined,
  origin: DraftOrigin,
): DraftState {
  if (title === '' && content === '') {
    removeNewEntryDraft()
    return 'none'
  }
  if (isForgotten(personId)) return 'not stored'
  const isStored =
    (personId === undefined || store(WRITER_KEY, personId)) &&
    store(ORIGIN_KEY, JSON.stringify(origin)) &&
    store(DRAFT_KEY, JSON.stringify({ title, content, tags }))
  return isStored ? 'stored' : 'not stored'
}

export function removeNewEntryDraft(): void {
  for (const key of [DRAFT_KEY, WRITER_KEY, ORIGIN_KEY]) store(key, null)
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
