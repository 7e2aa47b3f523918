import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

/** When an entry publishes itself, and the time zone of its writer. */
export type Schedule = { at: Date; zone: string }

/** Sets the time of an unpublished entry; null removes it. */
export async function setSchedule(
  trx: Transaction<Schema>,
  entryId: string,
  schedule: Schedule | null,
): Promise<void> {
  if (schedule === null) {
    await trx.deleteFrom('entry_schedules').where('entry_id', '=', entryId).execute()
    return
  }
  const values = { publish_at: schedule.at, zone: schedule.zone }
  await trx
    .insertInto('entry_schedules')
    .values({ entry_id: entryId, ...values })
    .onConflict((conflict) => conflict.column('entry_id').doUpdateSet(values))
    .execute()
}

/** Removes the time of an entry, unless it was changed. Returns whether it did: of several servers, for one alone. */
export async function takeSchedule(db: Db, entryId: string, at: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('entry_schedules')
    .where('entry_id', '=', entryId)
    // Dates have milliseconds.
    .where(sql<boolean>`date_trunc('milliseconds', publish_at) = ${at}`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** An entry whose time has come. Its milestone and its author are null if they are in the trash or deleted, or if it is. */
export type DueEntry = {
  entryId: string
  at: Date
  /** Dates have milliseconds; this has what the database stores. */
  exactly: string
  milestoneId: string | null
  authorId: string | null
}

/** Returns entries whose time has come by the clock of the database, the earliest first, after another one. */
export async function listDue(db: Db, limit: number, after?: DueEntry): Promise<DueEntry[]> {
  const from = after
    ? sql`and (s.publish_at, s.entry_id) > (${after.exactly}::timestamptz, ${after.entryId})`
    : sql``
  const { rows } = await sql<DueEntry>`
    select s.entry_id as "entryId", s.publish_at as at, s.publish_at::text as exactly, m.id as "milestoneId",
      e.author_id as "authorId"
    from entry_schedules s
    left join entries_and_drafts e on e.id = s.entry_id left join live_milestones m on m.id = e.milestone_id
    where s.publish_at <= now() ${from} order by s.publish_at, s.entry_id limit ${limit}`.execute(db)
  return rows
}
