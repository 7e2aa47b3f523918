import { sql } from 'kysely'
import { PRESENCE_EXPIRY_SECONDS } from '#contract/presence.ts'
import { pictureOf } from '#server/database/people.ts'
import type { Db } from '#server/database/rows.ts'

/** The clock of the database, because those of processes differ. */
const expiry = sql`now() + make_interval(secs => ${sql.lit(PRESENCE_EXPIRY_SECONDS)})`

type Editor = { entryId: string; userId: string }

/**
 * Records or renews an editor of a published entry of this milestone. Returns whether they were already an editor; undefined if
 * there is no such entry.
 */
export async function keepEditor(
  db: Db,
  { milestoneId, entryId, userId }: Editor & { milestoneId: string },
): Promise<{ wasHere: boolean } | undefined> {
  const { rows } = await sql<{ wasHere: boolean }>`
    insert into entry_editors (entry_id, user_id, expires_at)
    select e.id, ${userId}::uuid, ${expiry} from live_entries e
    where e.id = ${entryId} and e.milestone_id = ${milestoneId}
    on conflict (entry_id, user_id) do update set expires_at = excluded.expires_at
    returning exists (
      select from entry_editors before
      where before.entry_id = ${entryId} and before.user_id = ${userId} and before.expires_at > now()
    ) as "wasHere"`.execute(db)
  return rows[0]
}

/**
 * Removes an editor of an entry of this milestone. Returns whether they were an editor until now; undefined if there is no such
 * entry.
 */
export async function dropEditor(
  db: Db,
  { milestoneId, entryId, userId }: Editor & { milestoneId: string },
): Promise<{ wasHere: boolean } | undefined> {
  const { rows } = await sql<{ wasHere: boolean }>`
    with entry as (
      select id from live_entries where id = ${entryId} and milestone_id = ${milestoneId}
    ), dropped as (
      delete from entry_editors where entry_id in (select id from entry) and user_id = ${userId} returning 1
    )
    select exists (select from dropped) as "wasHere" from entry`.execute(db)
  return rows[0]
}

/** Returns the other editors of an entry, by name. */
export async function listOtherEditors(db: Db, { entryId, userId }: Editor) {
  const { rows } = await sql<{ id: string; name: string; picture: string | null }>`
    select u.id, u.name, ${pictureOf('u.id')} as picture from entry_editors e join users u on u.id = e.user_id
    where e.entry_id = ${entryId} and e.user_id <> ${userId} and e.expires_at > now()
    order by u.name, u.id`.execute(db)
  return rows
}

/** Deletes at most `atMost` expired rows, and returns their number. */
export async function deleteExpired(db: Db, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from entry_editors where (entry_id, user_id) in (
      select entry_id, user_id from entry_editors where expires_at < now() limit ${atMost})`.execute(db)
  return Number(numAffectedRows)
}
