import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { EntryState } from '#contract/entries.ts'
import type { EntryRevisionRow, Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { keepFilesOfRevision } from '#server/files/uses.ts'
import {
  deleteForRoom,
  extendRevision,
  findLatest,
  insertPresent,
  insertRevision,
  type LatestRevision,
} from './store.ts'

/** How long the saves of one author make one revision of a list, counted from the first of them. */
const COALESCED_MS = 10 * 60_000

/** What a revision holds of an entry, in the columns of both. */
type Text = {
  title: string
  content: string
  tags: string[]
  happened_at: Date
  happened_on: string
  happened_zone: string
  cover_file_id: string | null
  state: EntryState
}

type Versioned = Text & { id: string; version: number }

export type Cause = EntryRevisionRow['cause']

/** Who saves, when and why. */
type Save = { writerId: string; cause: Cause; wordCount: number | null; now: Date }

/** The revision that a save adds, and the bytes that the history grows by: those of what it replaces. */
type Added = { revisionId: string | null; bytes: number }

/** The bytes that a text takes. */
export const bytesOf = ({ title, content, tags }: Pick<Text, 'title' | 'content' | 'tags'>) =>
  Buffer.byteLength(title) + Buffer.byteLength(content) + Buffer.byteLength(tags.join(''))

/** Writes the first revision of an entry that was just inserted. */
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
 * Writes the revision of a save that makes `current` into `next`, before the entry itself is changed: the update adds the
 * bytes. A save that changes nothing of the text adds no revision. The files of `next` are kept later, by
 * `keepFilesOfRevision`, when it is known which those are.
 */
export async function recordSave(
  trx: Transaction<Schema>,
  current: Versioned,
  next: Text,
  save: Save,
): Promise<Added> {
  const found = await findLatest(trx, current.id)
  // Entries of before there were revisions have none, nor what a server of the release before has saved.
  const latest = found?.version === current.version ? found : undefined
  if (isSame(current, next)) {
    if (latest) await extendRevision(trx, latest.id)
    return { revisionId: null, bytes: 0 }
  }
  if (!latest) await recordPresent(trx, current)
  const joined = save.cause === 'merge' ? (latest ?? (await findLatest(trx, current.id))) : undefined
  const revisionId = uuidv7()
  await insertRevision(trx, {
    ...rowOf(revisionId, { ...next, id: current.id, version: current.version + 1 }, save),
    ...authorsOf(joined, save),
    ...(latest && supersedes(latest, next, save) && { supersedes: latest.id, begun_at: latest.begun_at }),
  })
  return { revisionId, bytes: bytesOf(current) + (latest ? 0 : (found?.bytes ?? 0)) }
}

/** Writes down what an entry is before it gets its first revision. */
async function recordPresent(trx: Transaction<Schema>, current: Versioned): Promise<void> {
  const id = uuidv7()
  await insertPresent(trx, { id, entryId: current.id, bytes: bytesOf(current) })
  await keepFilesOfRevision(
    trx,
    { entryId: current.id, revisionId: id },
    { coverFile: current.cover_file_id },
  )
}

/** Whether a save follows up the latest revision within minutes, and nobody named that or will look for it by itself. */
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
 * Where an account is full, histories give way to texts: deletes from the history of an entry what makes its account exceed
 * the quota, but no more than the save has added. Returns how many bytes the history grew by in the end.
 */
export async function giveWay(
  trx: Transaction<Schema>,
  { quotas }: Pick<AppDeps, 'quotas'>,
  { projectId, entryId, added, grown }: { projectId: string; entryId: string; added: number; grown: number },
): Promise<number> {
  if (added === 0) return 0
  const excess = Math.min(await quotas.excess(trx, projectId), added + Math.max(0, grown))
  return excess > 0 ? added - (await deleteForRoom(trx, entryId, excess)) : added
}

const rowOf = (id: string, entry: Versioned, { cause, wordCount, now }: Save) => ({
  id,
  entry_id: entry.id,
  version: entry.version,
  title: entry.title,
  content: entry.content,
  tags: entry.tags,
  happened_at: entry.happened_at,
  happened_on: entry.happened_on,
  happened_zone: entry.happened_zone,
  cover_file_id: entry.cover_file_id,
  state: entry.state,
  word_count: wordCount,
  cause,
  bytes: bytesOf(entry),
  supersedes: null,
  begun_at: now,
  now,
})

/** The authors of before whose words are still in the text, and the one who saves. */
function authorsOf(before: LatestRevision | undefined, { writerId }: Save) {
  const others = (before?.author_ids ?? []).map((id, at) => ({ id, name: before?.author_names[at] ?? '' }))
  const kept = others.filter(({ id }) => id !== writerId)
  return {
    author_ids: kept.map(({ id }) => id),
    author_names: kept.map(({ name }) => name),
    writer: writerId,
  }
}

const isSame = (a: Text, b: Text) =>
  a.title === b.title &&
  a.content === b.content &&
  a.state === b.state &&
  a.cover_file_id === b.cover_file_id &&
  a.happened_at.getTime() === b.happened_at.getTime() &&
  a.happened_on === b.happened_on &&
  a.happened_zone === b.happened_zone &&
  a.tags.length === b.tags.length &&
  a.tags.every((tag, at) => tag === b.tags[at])
