import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { recordActivity } from '#server/activity/service.ts'
import type { Schema } from '#server/database/rows.ts'
import { lockForChange } from '#server/permissions/access.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { idTaken } from '#server/platform/changes/changes.ts'
import { indexChanges } from '#server/search/indexing.ts'
import {
  type Deleted,
  findProjectsDeleted,
  insertDeletion,
  isDeletionTaken,
  listEntryDeletions,
  markDeleted,
  rememberDeletion,
  restoreRows,
} from './mark-store.ts'

/**
 * `subject`: the title that others may see; null for a draft, which others must not learn of. `id`: that of the deletion, if it was
 * sent with one.
 */
type Deleting = { id?: string | null; subject: string | null; deletedBy: string; now: Date }

/**
 * Moves a project, a milestone or an entry with its live content to the trash, and returns the id with which it can be
 * restored. Views no longer contain it. Requires a locked project and a caller who may delete.
 */
export async function moveToTrash(
  trx: Transaction<Schema>,
  deleted: Deleted,
  { id, subject, deletedBy, now }: Deleting,
): Promise<string> {
  const mark = { id: id ?? uuidv7(), deletedBy, now }
  if (id !== undefined && id !== null && (await isDeletionTaken(trx, id))) throw idTaken()
  if (id !== undefined && id !== null) await rememberDeletion(trx, deleted, id)
  await insertDeletion(trx, deleted, mark, await markDeleted(trx, deleted, mark))
  if (subject !== null) {
    const kind = `${kindOf(deleted)}_deleted` as const
    await recordActivity(trx, { ...deleted, kind, actorId: deletedBy, subject, now })
  }
  return mark.id
}

/** Restores the projects that their owner deleted at this time, and returns their ids. */
export async function restoreProjects(
  trx: Transaction<Schema>,
  { ownerId, deletedAt, now }: { ownerId: string; deletedAt: Date; now: Date },
): Promise<string[]> {
  const restored: string[] = []
  for (const { id: projectId, title: subject, deletion_id } of await findProjectsDeleted(trx, {
    ownerId,
    deletedAt,
  })) {
    await lockForChange(trx, projectId)
    if (deletion_id !== null) await restoreRows(trx, [deletion_id], { restoredBy: ownerId, now })
    await recordActivity(trx, { kind: 'project_restored', projectId, actorId: ownerId, subject, now })
    await indexChanges(trx)
    restored.push(projectId)
  }
  return restored
}

/**
 * Restores those of these deletions of single entries that are still in the trash, in a locked project. Returns how many, and whether
 * others see any of them. Throws `parent_deleted` if a milestone of them was deleted since.
 */
export async function restoreEntries(
  trx: Transaction<Schema>,
  deletionIds: string[],
  { projectId, restoredBy, now }: { projectId: string; restoredBy: string; now: Date },
): Promise<{ entries: number; isSeen: boolean }> {
  const found = await listEntryDeletions(trx, deletionIds, projectId)
  const without = found.find(({ isParentDeleted }) => isParentDeleted)
  if (without)
    throw new AppError(
      'parent_deleted',
      `These entries cannot come back without the milestone “${without.milestoneTitle}”, deleted later.`,
    )
  const ids = found.map(({ id }) => id)
  await restoreRows(trx, ids, { restoredBy, now })
  const seen = found.filter(({ state }) => state === 'published')
  for (const { entryId, milestoneId, title: subject } of seen)
    await recordActivity(trx, {
      kind: 'entry_restored',
      projectId,
      actorId: restoredBy,
      milestoneId,
      entryId,
      subject,
      now,
    })
  return { entries: found.length, isSeen: seen.length > 0 }
}

const kindOf = ({ milestoneId, entryId }: Deleted) => {
  if (entryId !== undefined) return 'entry'
  return milestoneId === undefined ? 'project' : 'milestone'
}
