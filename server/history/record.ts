import { isDeepStrictEqual } from 'node:util'
import type { Selectable, Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { EntryRow } from '#server/database/rows/entries.ts'
import type { EntryRevisionRow } from '#server/database/rows/history.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { keepFilesOfRevision } from '#server/files/uses.ts'
import type { Usage } from '#server/quotas/quotas.ts'
import { deleteToFree, findLatest, insertCurrent, type LatestRevision, type RevisionValues } from './store.ts'

export { latestOf, latestPart, type RevisionValues, revisionParts } from './store.ts'

/** Saves of one author within this time after the first of them are listed as one revision. */
const COALESCED_MS = 10 * 60_000

/** The columns that entries and revisions share, except for those that every table has. */
type Text = Pick<
  Selectable<EntryRow>,
  Exclude<keyof EntryRow & keyof EntryRevisionRow, 'id' | 'version' | 'created_at'>
>

type Versioned = Text & { id: string; version: number; latest: LatestRevision | null }

export type Cause = EntryRevisionRow['cause']

/** The writer, cause and time of a save. */
type Save = { writerId: string; cause: Cause; wordCount: number | null; now: Date }

/** What a save does to the history, and the bytes by which it grows: those of the replaced content. */
type Added = { values: RevisionValues; bytes: number }

/** Returns the size of a text in bytes. */
export const bytesOf = ({ title, content, tags }: Pick<Text, 'title' | 'content' | 'tags'>) =>
  Buffer.byteLength(title) + Buffer.byteLength(content) + Buffer.byteLength(tags.join(''))

/** Returns the first revision of a new entry. */
export const firstRevision = (
  text: Pick<Text, 'title' | 'content' | 'tags'>,
  save: Save,
): RevisionValues => ({
  ...revisionOf(text, save),
  ...authorsOf(undefined, save),
})

/**
 * Returns the revision of a save that changes `current` to `next`. A save that does not change the content adds none. The files of
 * `next` are recorded later by `keepFilesOfRevision`, once they are known.
 */
export async function nextRevision(
  trx: Transaction<Schema>,
  current: Versioned,
  next: Text,
  save: Save,
): Promise<Added> {
  const found = current.latest
  // Missing for entries from before revisions existed, and outdated after a save by a server of the previous release.
  const latest = found?.version === current.version ? found : undefined
  if (isSame(current, next)) {
    const values = { ...revisionOf(next, save), ...authorsOf(undefined, save), revision: null }
    return { values: { ...values, extends: latest?.id ?? null }, bytes: 0 }
  }
  if (!latest) await recordCurrent(trx, current)
  const joined = save.cause === 'merge' ? (latest ?? (await findLatest(trx, current.id))) : undefined
  const values = {
    ...revisionOf(next, save),
    ...authorsOf(joined, save),
    ...(latest && supersedes(latest, next, save) && { supersedes: latest.id, begunAt: latest.begun_at }),
  }
  return { values, bytes: bytesOf(current) + (latest ? 0 : (found?.bytes ?? 0)) }
}

/** Records the current content before the entry gets its first revision. */
async function recordCurrent(trx: Transaction<Schema>, current: Versioned): Promise<void> {
  const id = uuidv7()
  await insertCurrent(trx, { id, entryId: current.id, bytes: bytesOf(current) })
  await keepFilesOfRevision(
    trx,
    { entryId: current.id, revisionId: id },
    { coverFile: current.cover_file_id },
  )
}

/** Returns whether a save supersedes the latest revision: same author and state, within minutes, unnamed, and both ordinary saves. */
export function supersedes(
  latest: Pick<LatestRevision, 'name' | 'cause' | 'state' | 'author_ids' | 'begun_at'>,
  { state }: Pick<Text, 'state'>,
  { writerId, cause, now }: Pick<Save, 'writerId' | 'cause' | 'now'>,
): boolean {
  const [author, ...others] = latest.author_ids
  return (
    latest.name === null &&
    latest.cause === 'save' &&
    cause === 'save' &&
    latest.state === state &&
    author === writerId &&
    others.length === 0 &&
    now.getTime() - latest.begun_at.getTime() < COALESCED_MS
  )
}

/**
 * Makes room for new content if the account exceeds its quota: deletes at least that many bytes from the entry's history,
 * but no more than the save added. Returns by how many bytes the history grew in the end, and the storage in use if it was read
 * and nothing was deleted. `known`: the storage after the save, if it was read already.
 */
export async function trimHistory(
  trx: Transaction<Schema>,
  { quotas }: Pick<AppDeps, 'quotas'>,
  { projectId, entryId, added, grown }: { projectId: string; entryId: string; added: number; grown: number },
  known?: Usage,
): Promise<{ bytes: number; usage?: Usage | undefined }> {
  if (added === 0) return { bytes: 0, usage: known }
  const { bytes, usage } = await quotas.excess(trx, projectId, known)
  const excess = Math.min(bytes, added + Math.max(0, grown))
  if (excess <= 0) return { bytes: added, usage }
  return { bytes: added - (await deleteToFree(trx, entryId, excess)) }
}

const revisionOf = (text: Pick<Text, 'title' | 'content' | 'tags'>, { cause, wordCount, now }: Save) => ({
  revision: uuidv7(),
  cause,
  words: wordCount,
  revisionBytes: bytesOf(text),
  begunAt: now,
  supersedes: null,
  extends: null,
  now,
})

/** Returns the authors of the former content that is still in the text, and the writer of the save. */
function authorsOf(before: LatestRevision | undefined, { writerId }: Save) {
  const others = (before?.author_ids ?? []).map((id, at) => ({ id, name: before?.author_names[at] ?? '' }))
  const kept = others.filter(({ id }) => id !== writerId)
  return {
    authorIds: kept.map(({ id }) => id),
    authorNames: kept.map(({ name }) => name),
    writer: writerId,
  }
}

const isSame = (a: Text, b: Text) => isDeepStrictEqual(textOf(a), textOf(b))

/** Returns the text of a row without its other columns. */
const textOf = (row: Text): Text => ({
  title: row.title,
  content: row.content,
  tags: row.tags,
  happened_at: row.happened_at,
  happened_on: row.happened_on,
  happened_zone: row.happened_zone,
  cover_file_id: row.cover_file_id,
  no_cover: row.no_cover,
  state: row.state,
})
