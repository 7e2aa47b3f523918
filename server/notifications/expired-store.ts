import { sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

/** Removes so many notifications that are older than that, and answers how many there were. */
export async function deleteOlder(trx: Transaction<Schema>, before: Date, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from notifications where id in (
      select id from notifications where created_at < ${before} limit ${atMost} for update skip locked)`.execute(
    trx,
  )
  return Number(numAffectedRows)
}

/** Removes so many notifications beyond each person's newest, and answers how many there were. */
export async function deleteBeyond(trx: Transaction<Schema>, kept: number, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from notifications where id in (
      select older.id
      from (select user_id from notifications group by user_id having count(*) > ${kept}) as full_box
      cross join lateral (
        select id from notifications where user_id = full_box.user_id
        order by created_at desc, id desc offset ${kept}
      ) as older
      limit ${atMost})`.execute(trx)
  return Number(numAffectedRows)
}
