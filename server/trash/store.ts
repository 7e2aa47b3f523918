import { sql, type Transaction } from 'kysely'
import type { Role } from '#contract/permissions.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { rolesByAction } from '#server/permissions/roles-by-action.ts'

/** The reader of the trash, and the time since which deletions can be restored. */
export type TrashReader = { userId: string; since: Date }

export type DeletionRecord = Awaited<ReturnType<typeof listDeletions>>[number]

/** Counts the deletions that a person may restore. */
export async function countDeletions(db: Db, reader: TrashReader): Promise<number> {
  const { total } = await restorable(db, reader)
    .select((q) => q.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Returns a page of the deletions that a person may restore, latest first. */
export function listDeletions(
  db: Db,
  reader: TrashReader,
  { offset, limit }: { offset: number; limit: number },
) {
  return records(db, reader)
    .orderBy('d.deleted_at', 'desc')
    .orderBy('d.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** Returns a deletion that a person may restore; undefined if it does not exist or they may not. */
export function findDeletion(db: Db, reader: TrashReader, id: string) {
  return records(db, reader).where('d.id', '=', id).executeTakeFirst()
}

/**
 * People who may delete may restore: editors the content of a project, the owner a deleted project with its content, the author
 * a draft. Resources that are being permanently deleted, and their content, are not in the trash.
 */
function restorable(db: Db, { userId, since }: TrashReader) {
  const mine = sql<string>`(
    select id from projects where owner_id = ${userId}
    union all select project_id from collaborators where user_id = ${userId} and status = 'accepted')`
  return db
    .selectFrom('deletions as d')
    .innerJoin('projects as p', 'p.id', 'd.project_id')
    .leftJoin('milestones as m', 'm.id', 'd.milestone_id')
    .leftJoin('entries as e', 'e.id', 'd.entry_id')
    .leftJoin('collaborators as c', (join) =>
      join.onRef('c.project_id', '=', 'p.id').on('c.user_id', '=', userId).on('c.status', '=', 'accepted'),
    )
    .where('d.project_id', 'in', mine)
    .where('d.deleted_at', '>', since)
    .where('d.purged_at', 'is', null)
    .where(
      sql<boolean>`not exists (
        select from deletions above where above.id in (p.deletion_id, m.deletion_id) and above.purged_at is not null)`,
    )
    .where(
      sql<boolean>`case when p.deleted_at is null
        then ${roleOf(userId)} = any(${rolesByAction['content:edit']}::text[])
        else ${roleOf(userId)} = any(${rolesByAction['project:delete']}::text[]) end`,
    )
    .where(sql<boolean>`(d.entry_id is null or e.state = 'published' or e.author_id = ${userId})`)
}

const roleOf = (userId: string) =>
  sql<Role | null>`case when p.owner_id = ${userId} then 'owner' else c.role end`

function records(db: Db, reader: TrashReader) {
  const { userId } = reader
  return restorable(db, reader)
    .leftJoin('users as by', 'by.id', 'd.deleted_by')
    .select([
      'd.id',
      'd.project_id',
      'd.milestone_id',
      'd.entry_id',
      'd.deleted_at',
      'd.milestones',
      'd.entries',
      'by.name as deleted_by_name',
      'p.title as project_title',
      'p.deletion_id as project_deletion',
      'm.title as milestone_title',
      'm.deletion_id as milestone_deletion',
      'e.title as entry_title',
      'e.state as entry_state',
      roleOf(userId).as('role'),
      sql<number>`(
        select count(*) from entries x where x.deletion_id = d.id and x.state = 'draft' and x.author_id = ${userId})`.as(
        'own_drafts',
      ),
    ])
}

/** Returns a deletion that this person has undone. */
export function findRestoration(db: Db, id: string, restoredBy: string) {
  return db
    .selectFrom('restorations')
    .select(['project_id', 'milestone_id', 'entry_id'])
    .where('id', '=', id)
    .where('restored_by', '=', restoredBy)
    .executeTakeFirst()
}

/** Returns what a person has deleted with this id, and whether it is in the trash. */
export function findDeletionBy(db: Db, id: string, deletedBy: string) {
  return db
    .selectFrom('deletions')
    .select(['project_id', 'milestone_id', 'entry_id'])
    .where('id', '=', id)
    .where('deleted_by', '=', deletedBy)
    .executeTakeFirst()
}

/** A deletion to purge, regardless of the requester. */
export type PurgeRecord = NonNullable<Awaited<ReturnType<typeof lockForPurge>>>

/** Returns whether the project exists, and the deletion with which it is in the trash. */
export function findProjectDeletion(db: Db, projectId: string) {
  return db.selectFrom('projects').select('deletion_id').where('id', '=', projectId).executeTakeFirst()
}

/**
 * Returns the next deletion that has exceeded its retention or whose purge has begun. Deletions that belong to the deletion
 * of an account wait as long as that can be canceled.
 */
export function findDue(db: Db, before: Date) {
  return db
    .selectFrom('deletions')
    .select(['id', 'project_id'])
    .where((where) => where.or([where('deleted_at', '<=', before), where('purged_at', 'is not', null)]))
    .where(
      sql<boolean>`not exists (
        select from projects p join users u on u.id = p.owner_id
        where p.id = deletions.project_id and u.leaving_since is not null and deletions.purged_at is null)`,
    )
    .orderBy('deleted_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Marks a deletion as being purged, after which nobody can restore it; returns undefined if it no longer exists. */
export function lockForPurge(trx: Transaction<Schema>, id: string, now: Date) {
  return trx
    .updateTable('deletions as d')
    .from('projects as p')
    .set({ purged_at: sql`coalesce(purged_at, ${now})` })
    .where('d.id', '=', id)
    .whereRef('p.id', '=', 'd.project_id')
    .returning(['d.id', 'd.project_id', 'd.milestone_id', 'd.entry_id', 'p.owner_id', 'p.deleted_at'])
    .executeTakeFirst()
}

/** Deletes at most `atMost` entries of a deleted project or milestone, and returns their number. */
export async function deleteSomeEntries(
  trx: Transaction<Schema>,
  { project_id, milestone_id }: Pick<PurgeRecord, 'project_id' | 'milestone_id'>,
  atMost: number,
): Promise<number> {
  const above =
    milestone_id === null
      ? sql`milestone_id in (select id from milestones where project_id = ${project_id})`
      : sql`milestone_id = ${milestone_id}`
  const { numAffectedRows = 0n } = await sql`
    delete from entries where id in (select id from entries where ${above} limit ${atMost})`.execute(trx)
  return Number(numAffectedRows)
}

/** Permanently deletes the resource of a deletion with its content, and therefore the deletion. */
export async function deleteRow(
  trx: Transaction<Schema>,
  { project_id, milestone_id, entry_id }: Pick<PurgeRecord, 'project_id' | 'milestone_id' | 'entry_id'>,
): Promise<void> {
  if (entry_id !== null) await trx.deleteFrom('entries').where('id', '=', entry_id).execute()
  else if (milestone_id !== null) await trx.deleteFrom('milestones').where('id', '=', milestone_id).execute()
  else await trx.deleteFrom('projects').where('id', '=', project_id).execute()
}
