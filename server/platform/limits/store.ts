import { type Kysely, type RawBuilder, sql } from 'kysely'

export type Count = { calls: number; endsAt: Date }

type Counted = { key: string; now: Date; endsAt: Date }

/** Counts a call in the current window of the key, or in a new one, and deletes some expired rows. */
export function countCall<S>(db: Kysely<S>, counted: Counted): Promise<Count> {
  const { key, now } = counted
  return only(
    db,
    sql<Count>`
    with expired as (
      delete from call_limits where key in (
        select key from call_limits where ends_at < ${now} and key <> ${key} limit 100 for update skip locked)
    )
    ${increment(counted)}`,
  )
}

/**
 * Counts a call in a transaction. It locks only the row of the key, so transactions that count
 * several keys in the same order cannot deadlock.
 */
export function countCallWithin<S>(trx: Kysely<S>, counted: Counted): Promise<Count> {
  return only(trx, increment(counted))
}

/** Decrements the count of a key. */
export async function uncountCall<S>(db: Kysely<S>, key: string): Promise<void> {
  await sql`update call_limits set calls = greatest(calls - 1, 0) where key = ${key}`.execute(db)
}

/** Sets the count of a window to zero. */
export async function resetCalls<S>(db: Kysely<S>, key: string): Promise<void> {
  await sql`update call_limits set calls = 0 where key = ${key}`.execute(db)
}

/** Starts or extends the window of a key. */
export async function extendWindow<S>(db: Kysely<S>, key: string, endsAt: Date): Promise<void> {
  await sql`
    insert into call_limits (key, calls, ends_at) values (${key}, 1, ${endsAt})
    on conflict (key) do update set ends_at = excluded.ends_at`.execute(db)
}

/** Returns whether the window of a key is open. */
export async function isWindowOpen<S>(db: Kysely<S>, key: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select from call_limits where key = ${key} and ends_at > ${now}`.execute(db)
  return rows.length > 0
}

const increment = ({ key, now, endsAt }: Counted) => sql<Count>`
    insert into call_limits as l (key, calls, ends_at) values (${key}, 1, ${endsAt})
    on conflict (key) do update set
      calls = case when l.ends_at <= ${now} then 1 else l.calls + 1 end,
      ends_at = case when l.ends_at <= ${now} then excluded.ends_at else l.ends_at end
    returning calls, ends_at as "endsAt"`

async function only<S>(db: Kysely<S>, statement: RawBuilder<Count>): Promise<Count> {
  const { rows } = await statement.execute(db)
  const [count] = rows
  if (!count) throw new Error('a call was not counted')
  return count
}
