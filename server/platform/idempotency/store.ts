import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

/** A key belongs to one account and one call. */
export type IdempotencyKeyRef = { userId: string; call: string; key: string }

/** The hash of the first request with a key, and its encrypted response. */
export type StoredResponse = { request_hash: Buffer; answer: Buffer | null }

export function findResponse(
  db: Db,
  { userId, call, key }: IdempotencyKeyRef,
): Promise<StoredResponse | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where('user_id', '=', userId)
    .where('call', '=', call)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Inserts a key; returns false if another transaction has committed it. Waits for a transaction that has not ended. */
export async function insertKey(
  trx: Transaction<Schema>,
  { userId, call, key }: IdempotencyKeyRef,
  { requestHash, now }: { requestHash: Buffer; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('idempotency_keys')
    .values({ user_id: userId, call, key, request_hash: requestHash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export async function saveResponse(
  trx: Transaction<Schema>,
  { userId, call, key }: IdempotencyKeyRef,
  answer: Buffer,
): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ answer })
    .where('user_id', '=', userId)
    .where('call', '=', call)
    .where('key', '=', key)
    .execute()
}

/** Deletes at most `atMost` keys that are older than the date, and returns their number. */
export async function deleteOlder(trx: Transaction<Schema>, before: Date, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where created_at < ${before} limit ${atMost} for update skip locked)`.execute(
    trx,
  )
  return Number(numAffectedRows)
}

/** Deletes at most `atMost` keys beyond the newest of each account, and returns their number. */
export async function deleteBeyond(trx: Transaction<Schema>, kept: number, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from idempotency_keys where ctid in (
      select older.ctid
      from (select user_id from idempotency_keys group by user_id having count(*) > ${kept}) as many
      cross join lateral (
        select ctid from idempotency_keys where user_id = many.user_id order by created_at desc offset ${kept}
      ) as older
      limit ${atMost})`.execute(trx)
  return Number(numAffectedRows)
}
