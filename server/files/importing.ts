import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import { giveUpFile } from './removal-store.ts'

/** Gives up an imported file unless something uses it; returns whether nothing does. */
export const giveUpImported = (trx: Transaction<Schema>, id: string): Promise<boolean> => giveUpFile(trx, id)

/** Sets when an imported file was uploaded, and when a picture was taken, as another server knew: its bytes no longer tell. */
export async function dateImported(
  db: Db,
  { id, uploaderId }: { id: string; uploaderId: string },
  { createdAt, takenAt }: { createdAt?: string | undefined; takenAt?: string | undefined },
): Promise<void> {
  await sql`
    update files set created_at = coalesce(${createdAt ?? null}::timestamptz, created_at), taken_at = coalesce(${takenAt ?? null}, taken_at)
    where id = ${id} and uploader_id = ${uploaderId} and state = 'ready'`.execute(db)
}
