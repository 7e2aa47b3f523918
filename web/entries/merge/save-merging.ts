import type { Entry, EntryFields } from '#contract/entries.ts'
import { ApiError, currentOf } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { type EntryChoices, type EntryText, textOf } from '#web/entries/editor/entry-draft.ts'
import { chosenOf, conflictsIn, contentOf, type EntryMerge, mergeEntry } from './merge-entry.ts'
import type { Piece } from './merge-text.ts'

/** The version of an entry that a text was made from. */
export type Base = {
  text: EntryText
  version: number
  /** Whether the text is that of the version. Of a draft from before only the number is known. */
  isKnown: boolean
  /** Whether others wrote what is saved, too. */
  isMerged: boolean
}

/** What two people wrote in the same place, to be decided. */
export type EntryConflict = { mine: EntryText; theirs: Entry; merge: EntryMerge }

type Options = {
  base: Base
  /** What was chosen besides the text, and the entry that it was chosen for. */
  chosen: EntryChoices
  original: Entry | undefined
  save: (fields: EntryFields & { merged?: true }, version: number) => Promise<Entry>
  mergeTexts?: typeof runMerge
  readBase?: typeof readBaseText
}

/** What became of a save; `base` and `text` are those of the last attempt. */
type Saving = { base: Base; text: EntryText } & (
  | { saved: Entry; wasStale: boolean }
  | { conflict: EntryConflict }
  | { error: ApiError }
)

/** Others who save all the time are not outrun: after so many merges the person is asked. */
const MERGES_MAX = 5

/**
 * Saves an entry. If somebody else has changed it meanwhile, what they changed is merged with it and saved, unless both
 * changed the same: then nothing is saved, and the conflict is returned.
 */
export async function saveMerging(fields: EntryFields, options: Options): Promise<Saving> {
  const { chosen, original, save, mergeTexts = runMerge, readBase = readBaseText } = options
  let { base } = options
  let text = textOf(fields)
  for (let merges = 0; ; merges += 1) {
    try {
      const sent = { ...fields, ...text, ...(base.isMerged && { merged: true as const }) }
      return { base, text, saved: await save(sent, base.version), wasStale: merges > 0 }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const theirs = currentOf(error) as Entry | null
      if (!theirs) return { base, text, error }
      const known = base.isKnown ? base.text : await readBase(theirs, base.version)
      const content = await mergeTexts({
        base: known && known.content,
        mine: text.content,
        theirs: theirs.content,
      })
      const merge = mergeEntry({ base: known, mine: text, theirs, chosen, original }, content)
      if (conflictsIn(merge) > 0 || merges >= MERGES_MAX)
        return { base, text, conflict: { mine: text, theirs, merge } }
      text = { title: chosenOf(merge.title, 'mine'), content: contentOf(merge, []), tags: merge.tags }
      base = { text: textOf(theirs), version: theirs.version, isKnown: true, isMerged: true }
    }
  }
}

/** Returns the text of an earlier version of an entry; null where its history does not have it, or cannot be read. */
async function readBaseText({ _id: entryId, milestone: milestoneId }: Entry, version: number) {
  try {
    const params = { milestoneId, entryId }
    const { revisions } = await request('listRevisions', { params, query: { version } })
    const [revision] = revisions
    if (!revision) return null
    return textOf(await request('readRevision', { params: { ...params, revisionId: revision._id } }))
  } catch {
    return null // the person is asked about all that differs
  }
}

/** How long a merge may take. It is more than honest writing needs, on any machine. */
export const MERGE_LIMIT_MS = 2_000

/** Two texts and what both were made from; null where that is not known. */
export type Texts = { base: string | null; mine: string; theirs: string }

/** What the worker sends: that it has been loaded, then the merged text. */
export type FromMergeWorker = 'ready' | { pieces: Piece[] }

const startWorker = () => new Worker(new URL('./merge.worker.ts', import.meta.url), { type: 'module' })

/**
 * Merges texts in a worker that is stopped when it takes too long, so that no text can hold the page up. The whole text is
 * one conflict then, and where the worker cannot be loaded: a person decides.
 */
export function runMerge(texts: Texts, start: () => Worker = startWorker): Promise<Piece[]> {
  const { mine, theirs } = texts
  const worker = start()
  let timer: ReturnType<typeof setTimeout> | undefined
  const merging = new Promise<Piece[]>((resolve) => {
    const ask = () => resolve(mine === theirs ? [{ same: mine }] : [{ mine, theirs }])
    worker.addEventListener('error', (event) => {
      event.preventDefault() // the person is asked
      ask()
    })
    worker.addEventListener('message', ({ data }: MessageEvent<FromMergeWorker>) => {
      if (data !== 'ready') return resolve(data.pieces)
      // A slow network says nothing about a text: the time is that of the merge.
      timer = setTimeout(ask, MERGE_LIMIT_MS)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a worker has none
      worker.postMessage(texts)
    })
  })
  return merging.finally(() => {
    clearTimeout(timer)
    worker.terminate()
  })
}
