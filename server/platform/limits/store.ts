import { type Kysely, sql } from 'kysely'

export type Count = { calls: number; endsAt: Date }

/** One more call in the window of the key, or the first of a new one. Old rows of others go on the way. */
export async function countCall<S>(
  db: Kysely<S>,
  { key, now, endsAt }: { key: string; now: Date; endsAt: Date },
): Promise<Count> {
  const { rows } = await sql<Count>`
    with forgotten as (
      delete from call_limits where key in (
        select key from call_limits where ends_at < ${now} and key <> ${key} limit 100 for update skip locked)
    )
    insert into call_limits as l (key, calls, ends_at) values (${key}, 1, ${endsAt})
    on conflict (key) do update set
      calls = case when l.ends_at <= ${now} then 1 else l.calls + 1 end,
      ends_at = case when l.ends_at <= ${now} then excluded.ends_at else l.ends_at end
    returning calls, ends_at as "endsAt"`.execute(db)
  const [count] = rows
  if (!count) throw new Error('a call was not counted')
  return count
}
