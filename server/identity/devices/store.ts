import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

/**
 * Records that the device of a session was seen. Returns the user if the device is new to the account; undefined if it is
 * known, or if the session was opened before devices were recorded.
 */
export async function recordDevice(
  trx: Transaction<Schema>,
  session: string,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string; isNew: boolean }>`
    insert into identity.devices (user_id, hash, seen_at)
    select "userId", device, ${now}::timestamptz from identity.session where id = ${session} and device is not null
    on conflict (user_id, hash) do update set seen_at = excluded.seen_at
    returning user_id as "userId", xmax = 0 as "isNew"`.execute(trx)
  return rows.find(({ isNew }) => isNew)?.userId
}

/** Returns the user agent of a session. */
export async function findUserAgent(db: Db, session: string): Promise<string | undefined> {
  const { rows } = await sql<{ userAgent: string | null }>`
    select "userAgent" from identity.session where id = ${session}`.execute(db)
  return rows[0]?.userAgent ?? undefined
}
