import type { Entry, EntryFields } from '#contract/entries.ts'
import { ApiError, currentOf } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { type EntryChoices, type EntryText, entryText, textOf } from '#web/composer/drafts/entry-draft.ts'
import type { FormChanges } from '#web/saving/form-changes.ts'
import { chosenOf, conflictsIn, contentOf, type EntryMerge, mergeEntry } from './merge-entry.ts'
import type { Piece } from './merge-text.ts'

/** The version of an entry that a text is based on. */
export type Base = {
  text: EntryText
  version: number
  /** Whether `text` is that of the version. For older stored drafts only the version number is known. */
  isKnown: boolean
  /** Whether the saved text contains changes of others. */
  isMerged: boolean
}

/** The conflict of two texts. */
export type EntryConflict = { mine: EntryText; theirs: Entry; merge: EntryMerge }

export type SaveOptions = {
  base: Base
  /** The choices besides the text, and the entry that they were made for. */
  chosen: EntryChoices
  original: Entry | undefined
  save: (fields: EntryFields & { merged?: true }, version: number) => Promise<Entry>
  changes?: Pick<FormChanges, 'acknowledged'>
  mergeTexts?: typeof runMerge
  readBase?: typeof readBaseText
}

/** The outcome of a save; `base` and `text` are those of the last attempt. */
type Saving = { base: Base; text: EntryText } & (
  | { saved: Entry; wasStale: boolean }
  | { conflict: EntryConflict }
  | { error: ApiError }
)

/** After this number of merges, the person is asked. */
const MERGES_MAX = 5

/**
 * Saves an entry. If somebody else has changed it in the meantime, their changes are merged and saved, unless they
 * overlap: then nothing is saved, and the conflict is returned.
 */
export async function saveMerging(fields: EntryFields, options: SaveOptions): Promise<Saving> {
  const { chosen, original, save, changes, mergeTexts = runMerge, readBase = readBaseText } = options
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
      const own = changes?.acknowledged
      const known =
        own && own.version > base.version
          ? entryText.parse(own.body)
          : base.isKnown
            ? base.text
            : await readBase(theirs, base.version)
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

/** Returns the text of an earlier version of an entry; null if it is not in the history, or the request fails. */
async function readBaseText({ _id: entryId, milestone: milestoneId }: Entry, version: number) {
  try {
    const params = { milestoneId, entryId }
    const { revisions } = await request('listRevisions', { params, query: { version } })
    const [revision] = revisions
    if (!revision) return null
    return textOf(await request('readRevision', { params: { ...params, revisionId: revision._id } }))
  } catch {
    return null // every difference becomes a conflict
  }
}

/** The maximum time of a merge, more than an ordinary text needs on any machine. */
export const MERGE_LIMIT_MS = 2_000

/** Two texts and their common base, which is null if unknown. */
export type Texts = { base: string | null; mine: string; theirs: string }

/** The messages of the worker: that it has been loaded, then the merged text. */
export type FromMergeWorker = 'ready' | { pieces: Piece[] }

const startWorker = () => new Worker(new URL('./merge.worker.ts', import.meta.url), { type: 'module' })

/**
 * Merges texts in a worker, which is terminated when it takes too long, so that no text can block the page. In that case,
 * or if the worker cannot be loaded, the whole text is one conflict.
 */
export function runMerge(texts: Texts, start: () => Worker = startWorker): Promise<Piece[]> {
  const { mine, theirs } = texts
  const worker = start()
  let timer: ReturnType<typeof setTimeout> | undefined
  const merging = new Promise<Piece[]>((resolve) => {
    const ask = () => resolve(mine === theirs ? [{ same: mine }] : [{ mine, theirs }])
    worker.addEventListener('error', (event) => {
      event.preventDefault() // the text becomes a conflict
      ask()
    })
    worker.addEventListener('message', ({ data }: MessageEvent<FromMergeWorker>) => {
      if (data !== 'ready') return resolve(data.pieces)
      // Loading over a slow network does not count towards the time limit.
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
