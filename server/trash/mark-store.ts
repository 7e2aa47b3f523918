import { sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { withChange } from '#server/platform/changes/changes.ts'

/** The deleted resource: the entry, otherwise the milestone, otherwise the project. */
export type Deleted = { projectId: string; milestoneId?: string; entryId?: string }

type Mark = { id: string; deletedBy: string; now: Date }
type Counted = { milestones: number; entries: number }

/** Marks the rows as deleted, with one update per table, from the lowest level up. Returns their numbers without drafts. */
export async function markDeleted(trx: Transaction<Schema>, deleted: Deleted, mark: Mark): Promise<Counted> {
  const { projectId, milestoneId, entryId } = deleted
  await allowLongStatements(trx)
  const marks = sql`deleted_at = ${mark.now}, deleted_by = ${mark.deletedBy}::uuid, deletion_id = ${mark.id}::uuid`
  const entries = await sql<{ published: number }>`
    with marked as (
      update entries set ${marks} where deleted_at is null and ${entriesOf(deleted)} returning state)
    select count(*) filter (where state = 'published') as published from marked`.execute(trx)
  const counted = { milestones: 0, entries: entries.rows[0]?.published ?? 0 }
  if (entryId !== undefined) return counted
  const ofProject = milestoneId === undefined ? sql`project_id = ${projectId}` : sql`id = ${milestoneId}`
  const { numAffectedRows = 0n } = await sql`
    update milestones set ${marks} where deleted_at is null and ${ofProject}`.execute(trx)
  counted.milestones = Number(numAffectedRows)
  if (milestoneId === undefined) await sql`update projects set ${marks} where id = ${projectId}`.execute(trx)
  return counted
}

/** Returns the rows of `entries` that are deleted with the resource. */
function entriesOf({ projectId, milestoneId, entryId }: Deleted) {
  if (entryId !== undefined) return sql`id = ${entryId}`
  if (milestoneId !== undefined) return sql`milestone_id = ${milestoneId}`
  return sql`milestone_id in (select id from milestones where project_id = ${projectId})`
}

/** Whether a deletion, also one that was undone, has this id. */
export async function isDeletionTaken(trx: Transaction<Schema>, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from deletions where id = ${id} union all select from restorations where id = ${id}`.execute(trx)
  return rows.length > 0
}

/** Adds the deletion to the changes of the deleted row, which has it after it was restored. */
export async function rememberDeletion(
  trx: Transaction<Schema>,
  { projectId, milestoneId, entryId }: Deleted,
  id: string,
): Promise<void> {
  const [table, row] =
    entryId !== undefined
      ? ['entries', entryId]
      : milestoneId !== undefined
        ? ['milestones', milestoneId]
        : ['projects', projectId]
  await sql`update ${sql.table(table)} set changes = ${withChange(id)} where id = ${row}`.execute(trx)
}

/** Inserts the record of a deletion. */
export async function insertDeletion(
  trx: Transaction<Schema>,
  { projectId, milestoneId, entryId }: Deleted,
  { id, deletedBy, now }: Mark,
  counted: Counted,
): Promise<void> {
  await trx
    .insertInto('deletions')
    .values({
      id,
      project_id: projectId,
      milestone_id: milestoneId ?? null,
      entry_id: entryId ?? null,
      deleted_at: now,
      deleted_by: deletedBy,
      ...counted,
    })
    .execute()
}

/** Returns the projects that their owner deleted at this time, in lock order. */
export function findProjectsDeleted(
  trx: Transaction<Schema>,
  { ownerId, deletedAt }: { ownerId: string; deletedAt: Date },
) {
  return trx
    .selectFrom('projects')
    .select(['id', 'title', 'deletion_id'])
    .where('owner_id', '=', ownerId)
    .where('deleted_at', '=', deletedAt)
    .where('deleted_by', '=', ownerId)
    .orderBy('id')
    .execute()
}

/** Returns those of these deletions that are of single entries of a project and still in the trash, and whether their milestones are too. */
export async function listEntryDeletions(trx: Transaction<Schema>, ids: string[], projectId: string) {
  return trx
    .selectFrom('deletions as d')
    .innerJoin('entries as e', 'e.id', 'd.entry_id')
    .innerJoin('milestones as m', 'm.id', 'e.milestone_id')
    .select([
      'd.id',
      'e.id as entryId',
      'e.title',
      'e.state',
      'm.id as milestoneId',
      'm.title as milestoneTitle',
    ])
    .select(sql<boolean>`m.deleted_at is not null`.as('isParentDeleted'))
    .where('d.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('d.project_id', '=', projectId)
    .where('d.purged_at', 'is', null)
    .orderBy('e.id')
    .execute()
}

/** Removes the marks of these deletions, and so restores exactly the rows that they deleted. Records who did it. */
export async function restoreRows(
  trx: Transaction<Schema>,
  deletionIds: string[],
  { restoredBy, now }: { restoredBy: string; now: Date },
): Promise<void> {
  await allowLongStatements(trx)
  for (const table of ['projects', 'milestones', 'entries'])
    await sql`
      update ${sql.table(table)} set deleted_at = null, deleted_by = null, deletion_id = null
      where deletion_id = any(${deletionIds}::uuid[])`.execute(trx)
  await sql`
    with restored as (
      delete from deletions where id = any(${deletionIds}::uuid[]) returning id, project_id, milestone_id, entry_id)
    insert into restorations (id, project_id, milestone_id, entry_id, restored_by, restored_at)
    select id, project_id, milestone_id, entry_id, ${restoredBy}::uuid, ${now}::timestamptz from restored
    on conflict (id) do update set restored_by = excluded.restored_by, restored_at = excluded.restored_at`.execute(
    trx,
  )
}

/** One statement marks or restores all entries of a project. Restoring also rewrites the search index of each text. */
async function allowLongStatements(trx: Transaction<Schema>): Promise<void> {
  await sql`set local statement_timeout = '20min'`.execute(trx)
}
