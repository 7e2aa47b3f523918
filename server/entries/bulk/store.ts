import { sql, type Transaction } from 'kysely'
import type { BulkChangeDetails, BulkChangeRow } from '#server/database/rows/entries.ts'
import type { Db, Schema } from '#server/database/rows.ts'

type Kind = BulkChangeRow['kind']

/** What an entry had before a bulk change. */
export type Former = {
  entryId: string
  tags?: string[] | null
  milestoneId?: string
  deletion?: string
}

export type NewBulkChange = {
  id: string
  projectId: string
  madeBy: string
  kind: Kind
  details: BulkChangeDetails
  formers: readonly Former[]
  now: Date
}

/** Stores a bulk change with what each entry had before, and returns whether its id was free. */
export async function insertBulkChange(trx: Transaction<Schema>, made: NewBulkChange): Promise<boolean> {
  const { id, projectId, madeBy, kind, details, formers, now } = made
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('bulk_changes')
    .values({
      id,
      project_id: projectId,
      made_by: madeBy,
      kind,
      details: JSON.stringify(details),
      made_at: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return false
  const rows = formers.map(({ entryId, tags = null, milestoneId = null, deletion = null }) => ({
    entry_id: entryId,
    former_tags: tags,
    former_milestone_id: milestoneId,
    deletion,
  }))
  await sql`
    insert into bulk_change_entries (bulk_change_id, entry_id, former_tags, former_milestone_id, deletion)
    select ${id}, entry_id, former_tags, former_milestone_id, deletion
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as former (entry_id uuid, former_tags text[], former_milestone_id uuid, deletion uuid)`.execute(trx)
  return true
}

export type BulkChange = NonNullable<Awaited<ReturnType<typeof findBulkChange>>>

/** Returns a bulk change by its id, and how many entries it has; undefined if it is another person's or that of another project. */
export function findBulkChange(
  db: Db,
  { id, projectId, madeBy }: { id: string; projectId: string; madeBy: string },
) {
  return db
    .selectFrom('bulk_changes as b')
    .select(['id', 'kind', 'details', 'made_at', 'undone_entries'])
    .select(
      sql<number>`(select count(*)::integer from bulk_change_entries e where e.bulk_change_id = b.id)`.as(
        'entries',
      ),
    )
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('made_by', '=', madeBy)
    .executeTakeFirst()
}

/** Returns the entries of a bulk change with what they had before, by id. */
export function listFormers(db: Db, id: string) {
  return db
    .selectFrom('bulk_change_entries')
    .select(['entry_id', 'former_tags', 'former_milestone_id', 'deletion'])
    .where('bulk_change_id', '=', id)
    .orderBy('entry_id')
    .execute()
}

/** Records that a bulk change was undone, and in how many entries. */
export async function markUndone(trx: Transaction<Schema>, id: string, entries: number): Promise<void> {
  await trx.updateTable('bulk_changes').set({ undone_entries: entries }).where('id', '=', id).execute()
}

/** Deletes up to `limit` bulk changes from before a time, and returns how many it deleted. */
export async function deleteBulkChanges(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from bulk_changes where id in (
      select id from bulk_changes where made_at < ${before} order by made_at limit ${limit} for update skip locked)`.execute(
    db,
  )
  return Number(numAffectedRows)
}
