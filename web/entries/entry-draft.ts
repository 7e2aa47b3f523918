import { z } from 'zod'

export const DRAFT_KEY = 'entryDraft'
/** Beside the draft, whose form is given: who wrote it, so that nobody else who uses this browser is shown it. */
const WRITER_KEY = 'entryDraftWriter'
/** And where it was begun. */
const ORIGIN_KEY = 'entryDraftOrigin'

export const entryText = z.object({ title: z.string(), content: z.string(), tags: z.array(z.string()) })

/** The text of an entry as it stands in the editor. */
export type EntryText = z.infer<typeof entryText>

const draftOrigin = z.object({
  milestoneId: z.string(),
  milestoneTitle: z.string(),
  projectTitle: z.string(),
})

/** The milestone that a draft was begun in. */
export type DraftOrigin = z.infer<typeof draftOrigin>

/** An entry that nobody has begun. */
export const BLANK: EntryText = { title: '', content: '', tags: [] }

/** The text of a new entry that this person left unsaved in this browser, if there is one. */
export function readDraft(personId: string | undefined): EntryText | null {
  try {
    const writer = localStorage.getItem(WRITER_KEY)
    if (writer !== null && writer !== personId) return null
    return entryText.parse(JSON.parse(localStorage.getItem(DRAFT_KEY) ?? 'null'))
  } catch {
    // None, not ours, or a browser that forbids storage: the editor begins blank.
    return null
  }
}

/** What became of keeping a draft; `none` where there was nothing to keep. */
export type DraftState = 'none' | 'kept' | 'cannot be kept'

/** Where the stored draft was begun; null where that is not known. */
export function readDraftOrigin(): DraftOrigin | null {
  try {
    return draftOrigin.parse(JSON.parse(localStorage.getItem(ORIGIN_KEY) ?? 'null'))
  } catch {
    // None, not ours, or a browser that forbids storage.
    return null
  }
}

/** Keeps the text in this browser. Where neither title nor content is left, it removes what was kept of them. */
export function keepDraft(
  { title, content, tags }: EntryText,
  personId: string | undefined,
  origin: DraftOrigin,
): DraftState {
  if (title === '' && content === '') {
    removeDraft()
    return 'none'
  }
  try {
    if (personId !== undefined) localStorage.setItem(WRITER_KEY, personId)
    localStorage.setItem(ORIGIN_KEY, JSON.stringify(origin))
    localStorage.setItem(DRAFT_KEY, JSON.stringify({ title, content, tags }))
    return 'kept'
  } catch {
    return 'cannot be kept'
  }
}

export function removeDraft(): void {
  try {
    localStorage.removeItem(DRAFT_KEY)
    localStorage.removeItem(WRITER_KEY)
    localStorage.removeItem(ORIGIN_KEY)
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
