import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

/** Stores a picture in place of the one that the person has. Returns how many bytes that had. */
export async function savePicture(
  trx: Transaction<Schema>,
  { userId, id, bytes }: { userId: string; id: string; bytes: Uint8Array },
): Promise<{ before: number }> {
  // So that of two uploads at once the second sees the first.
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const former = await trx
    .selectFrom('profile_pictures')
    .select(sql<number>`octet_length(bytes)`.as('length'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const row = { id, bytes: Buffer.from(bytes) }
  await trx
    .insertInto('profile_pictures')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
  return { before: former?.length ?? 0 }
}

export async function deletePicture(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('profile_pictures').where('user_id', '=', userId).execute()
}

/** Returns the bytes of a picture; undefined where it was replaced or removed. */
export async function findPicture(db: Db, id: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('profile_pictures').select('bytes').where('id', '=', id).executeTakeFirst()
  return row?.bytes
}
