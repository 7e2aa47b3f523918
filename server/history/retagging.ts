import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { keepFilesOfRevisions } from '#server/files/uses.ts'
import { supersedes } from './record.ts'
import { insertCurrentOf, insertRevisions, listLatest } from './retagging-store.ts'
import { deleteToFree } from './store.ts'

/** An entry whose tags change: its version and the size of its text before, in bytes. */
export type Retagged = { id: string; version: number; state: 'draft' | 'published'; bytes: number }

/** The revision that an entry gets, and the bytes by which its history grows. */
export type Planned = {
  entryId: string
  revision: string
  supersedes: string | null
  begunAt: Date
  added: number
}

type Save = { writerId: string; now: Date }

/**
 * Returns the revisions of a change of the tags of many entries, before they are changed, like `nextRevision` does for one: entries
 * from before revisions existed get one of what they have now.
 */
export async function planRevisions(
  trx: Transaction<Schema>,
  entries: readonly Retagged[],
  { writerId, now }: Save,
): Promise<Planned[]> {
  const found = await listLatest(
    trx,
    entries.map(({ id }) => id),
  )
  const isCurrent = ({ id, version }: Retagged) => found.get(id)?.version === version
  const unrecorded = entries.filter((entry) => !isCurrent(entry))
  const current = unrecorded.map(({ id, bytes }) => ({ revisionId: uuidv7(), entryId: id, bytes }))
  await insertCurrentOf(trx, current)
  await keepFilesOfRevisions(trx, current)
  return entries.map((entry) => {
    const { id: entryId, state, bytes } = entry
    const last = found.get(entryId)
    const latest = isCurrent(entry) ? last : undefined
    const save = { writerId, cause: 'save' as const, now }
    const follows = latest && supersedes(latest, { state }, save) ? latest : undefined
    return {
      entryId,
      revision: uuidv7(),
      supersedes: follows?.id ?? null,
      begunAt: follows?.begun_at ?? now,
      added: bytes + (latest ? 0 : (last?.bytes ?? 0)),
    }
  })
}

/** Adds the planned revisions, once the entries were changed. */
export async function addPlanned(
  trx: Transaction<Schema>,
  planned: readonly Planned[],
  save: Save,
): Promise<void> {
  await insertRevisions(trx, planned, save)
  await keepFilesOfRevisions(
    trx,
    planned.map(({ entryId, revision }) => ({ entryId, revisionId: revision })),
  )
}

/**
 * Makes room in the history of these entries if the account exceeds its quota, by no more than each of them added. Returns the bytes
 * by which all histories grew in the end.
 */
export async function trimHistories(
  trx: Transaction<Schema>,
  { quotas }: Pick<AppDeps, 'quotas'>,
  projectId: string,
  planned: readonly Planned[],
): Promise<number> {
  let grown = planned.reduce((sum, { added }) => sum + added, 0)
  if (grown === 0) return 0
  let { bytes: excess } = await quotas.excess(trx, projectId)
  for (const { entryId, added } of planned) {
    if (excess <= 0) break
    const freed = await deleteToFree(trx, entryId, Math.min(excess, added))
    excess -= freed
    grown -= freed
  }
  return grown
}
