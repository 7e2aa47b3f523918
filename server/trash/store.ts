import { sql, type Transaction } from 'kysely'
import type { Role } from '#contract/permissions.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { rolesByAction } from '#server/permissions/roles-by-action.ts'

/** Who looks into the trash, and since when things are in it that can still be restored. */
export type Looking = { userId: string; since: Date }

export type DeletionRecord = Awaited<ReturnType<typeof listDeletions>>[number]

/** How many deletions somebody may restore. */
export async function countDeletions(db: Db, looking: Looking): Promise<number> {
  const { total } = await restorable(db, looking)
    .select((q) => q.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** A page of what somebody may restore, the last deleted first. */
export function listDeletions(
  db: Db,
  looking: Looking,
  { offset, limit }: { offset: number; limit: number },
) {
  return records(db, looking)
    .orderBy('d.deleted_at', 'desc')
    .orderBy('d.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** A deletion that somebody may restore; undefined where there is none, or none of theirs. */
export function findDeletion(db: Db, looking: Looking, id: string) {
  return records(db, looking).where('d.id', '=', id).executeTakeFirst()
}

/**
 * Those who may delete may restore: contents of a project, its editors; a deleted project and all in it, its owner; a draft,
 * its author. Resources that are being deleted permanently are in no trash, with everything below them.
 */
function restorable(db: Db, { userId, since }: Looking) {
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

function records(db: Db, looking: Looking) {
  const { userId } = looking
  return restorable(db, looking)
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

/** A deletion that is to become final, regardless of who asks. */
export type PurgeRecord = NonNullable<Awaited<ReturnType<typeof lockForPurge>>>

/** Whether there is such a project, and the deletion that it is in the trash with. */
export function findProjectDeletion(db: Db, projectId: string) {
  return db.selectFrom('projects').select('deletion_id').where('id', '=', projectId).executeTakeFirst()
}

/**
 * The next deletion whose time is over, or whose purge has begun. What went with an account waits for as long as the
 * account can be kept.
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

/** Marks a deletion as being made final, from when on nobody can restore it; undefined where it is gone. */
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

/** Deletes at most so many entries of a deleted project or milestone, and returns how many. */
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

/** Permanently deletes the resource of a deletion with everything below it, and so the deletion. */
export async function deleteRow(
  trx: Transaction<Schema>,
  { project_id, milestone_id, entry_id }: Pick<PurgeRecord, 'project_id' | 'milestone_id' | 'entry_id'>,
): Promise<void> {
  if (entry_id !== null) await trx.deleteFrom('entries').where('id', '=', entry_id).execute()
  else if (milestone_id !== null) await trx.deleteFrom('milestones').where('id', '=', milestone_id).execute()
  else await trx.deleteFrom('projects').where('id', '=', project_id).execute()
}
