import { z } from 'zod'
import type { Entry } from '#contract/entries.ts'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import { milestoneRef } from '#web/composer/shell/composer-settings.ts'
import {
  type DraftKey,
  NEW_ENTRY,
  readDraft,
  removeDraft,
  type ServerCopy,
  storeDraft,
} from '#web/saving/drafts.ts'

export const entryText = z.object({ title: z.string(), content: z.string(), tags: z.array(z.string()) })

/** The fields of an entry in the composer. */
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
})

/** The milestone of a draft. */
export type DraftOrigin = z.infer<typeof draftOrigin>

export const BLANK: EntryText = { title: '', content: '', tags: [] }

/** Returns only the text of an entry or a draft. */
export const textOf = ({ title, content, tags }: EntryText): EntryText => ({ title, content, tags })

/** The draft of an entry, or of a new one, in this browser. */
export type EntryDraft = {
  text: EntryText
  choices: EntryChoices
  /** The milestone of a new entry, if it is known. */
  origin?: DraftOrigin | undefined
  /** The version of the entry that is being edited. */
  version?: number | undefined
  /** The id of a new entry, once the composer has sent it. */
  id?: string | undefined
  copy?: ServerCopy | undefined
}

/** Returns the key of the draft of an entry, or of a new one. */
export const entryKey = (personId: string | undefined, entryId: string | undefined): DraftKey => ({
  form: entryId === undefined ? NEW_ENTRY : `entry/${entryId}`,
  personId,
})

/** Returns the entry of a draft; undefined for a new one. */
export const entryOf = ({ form }: DraftKey): string | undefined =>
  form === NEW_ENTRY ? undefined : form.replace('entry/', '')

const storedFields = entryText.extend({ ...entryChoices.shape, origin: draftOrigin.optional() })
const storedBase = z.object({ version: z.number().optional() }).optional()

/** Returns this person's stored draft in this browser; null if there is none. */
export function readEntryDraft(key: DraftKey): EntryDraft | null {
  const stored = readDraft(key, storedFields, storedBase)
  if (!stored) return null
  const { day, place, coverFile, origin } = stored.fields
  const choices = { day, place, coverFile }
  const { base, id, copy } = stored
  return { text: textOf(stored.fields), choices, origin, version: base?.version, id, copy }
}

/**
 * Stores a draft; that of a new entry without a title and content is removed instead. Returns false if the browser could not store it.
 * `isMirrored`: under the specified key, too.
 */
export function storeEntryDraft(key: DraftKey, draft: EntryDraft, isMirrored = true): boolean {
  const { text, choices, origin, version, id, copy } = draft
  const isBlank = text.title === '' && text.content === ''
  if (key.form !== NEW_ENTRY || !isBlank)
    return storeDraft(
      key,
      { fields: { ...text, ...choices, origin }, base: { version }, id, copy },
      isMirrored,
    )
  removeDraft(key)
  return true
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
