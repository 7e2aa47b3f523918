import { type Kysely, type RawBuilder, sql } from 'kysely'

export type Count = { calls: number; endsAt: Date }

type Counted = { key: string; now: Date; endsAt: Date }

/** One more call in the window of the key, or the first of a new one. Old rows of others go on the way. */
export function countCall<S>(db: Kysely<S>, counted: Counted): Promise<Count> {
  const { key, now } = counted
  return only(
    db,
    sql<Count>`
    with forgotten as (
      delete from call_limits where key in (
        select key from call_limits where ends_at < ${now} and key <> ${key} limit 100 for update skip locked)
    )
    ${raised(counted)}`,
  )
}

/**
 * As `countCall`, in a transaction that goes on: no row but the key's is touched, so that two that count several keys in
 * one order never wait for each other.
 */
export function countCallWithin<S>(trx: Kysely<S>, counted: Counted): Promise<Count> {
  return only(trx, raised(counted))
}

const raised = ({ key, now, endsAt }: Counted) => sql<Count>`
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
