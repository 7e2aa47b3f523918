import { isDeepStrictEqual } from 'node:util'
import type { Selectable, Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { EntryRevisionRow, EntryRow, Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { keepFilesOfRevision } from '#server/files/uses.ts'
import {
  deleteToFree,
  extendRevision,
  findLatest,
  insertCurrent,
  insertRevision,
  type LatestRevision,
} from './store.ts'

/** Saves of one author within this time after the first of them are listed as one revision. */
const COALESCED_MS = 10 * 60_000

/** The columns that entries and revisions share, except for those that every table has. */
type Text = Pick<
  Selectable<EntryRow>,
  Exclude<keyof EntryRow & keyof EntryRevisionRow, 'id' | 'version' | 'created_at'>
>

type Versioned = Text & { id: string; version: number }

export type Cause = EntryRevisionRow['cause']

/** The writer, cause and time of a save. */
type Save = { writerId: string; cause: Cause; wordCount: number | null; now: Date }

/** The revision that a save adds, and the bytes by which the history grows: those of the replaced content. */
type Added = { revisionId: string | null; bytes: number }

/** Returns the size of a text in bytes. */
export const bytesOf = ({ title, content, tags }: Pick<Text, 'title' | 'content' | 'tags'>) =>
  Buffer.byteLength(title) + Buffer.byteLength(content) + Buffer.byteLength(tags.join(''))

/** Inserts the first revision of a new entry. */
export async function recordCreation(
  trx: Transaction<Schema>,
  entry: Versioned,
  save: Save,
): Promise<{ revisionId: string }> {
  const revisionId = uuidv7()
  await insertRevision(trx, { ...rowOf(revisionId, entry, save), ...authorsOf(undefined, save) })
  return { revisionId }
}

/**
 * Inserts the revision of a save that changes `current` to `next`. Call it before the update of the entry, which adds the
 * bytes. A save that does not change the content adds no revision. The files of `next` are recorded later by
 * `keepFilesOfRevision`, once they are known.
 */
export async function recordSave(
  trx: Transaction<Schema>,
  current: Versioned,
  next: Text,
  save: Save,
): Promise<Added> {
  const found = await findLatest(trx, current.id)
  // Missing for entries from before revisions existed, and outdated after a save by a server of the previous release.
  const latest = found?.version === current.version ? found : undefined
  if (isSame(current, next)) {
    if (latest) await extendRevision(trx, latest.id)
    return { revisionId: null, bytes: 0 }
  }
  if (!latest) await recordCurrent(trx, current)
  const joined = save.cause === 'merge' ? (latest ?? (await findLatest(trx, current.id))) : undefined
  const revisionId = uuidv7()
  await insertRevision(trx, {
    ...rowOf(revisionId, { ...next, id: current.id, version: current.version + 1 }, save),
    ...authorsOf(joined, save),
    ...(latest && supersedes(latest, next, save) && { supersedes: latest.id, begun_at: latest.begun_at }),
  })
  return { revisionId, bytes: bytesOf(current) + (latest ? 0 : (found?.bytes ?? 0)) }
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
 * but no more than the save added. Returns by how many bytes the history grew in the end.
 */
export async function trimHistory(
  trx: Transaction<Schema>,
  { quotas }: Pick<AppDeps, 'quotas'>,
  { projectId, entryId, added, grown }: { projectId: string; entryId: string; added: number; grown: number },
): Promise<number> {
  if (added === 0) return 0
  const excess = Math.min(await quotas.excess(trx, projectId), added + Math.max(0, grown))
  return excess > 0 ? added - (await deleteToFree(trx, entryId, excess)) : added
}

const rowOf = (id: string, entry: Versioned, { cause, wordCount, now }: Save) => ({
  id,
  entry_id: entry.id,
  version: entry.version,
  ...textOf(entry),
  word_count: wordCount,
  cause,
  bytes: bytesOf(entry),
  supersedes: null,
  begun_at: now,
  now,
})

/** Returns the authors of the former content that is still in the text, and the writer of the save. */
function authorsOf(before: LatestRevision | undefined, { writerId }: Save) {
  const others = (before?.author_ids ?? []).map((id, at) => ({ id, name: before?.author_names[at] ?? '' }))
  const kept = others.filter(({ id }) => id !== writerId)
  return {
    author_ids: kept.map(({ id }) => id),
    author_names: kept.map(({ name }) => name),
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
  state: row.state,
})
