import { type InsertObject, sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

/** Returns the version of an entry; undefined if it is gone. */
export async function findVersionOf(trx: Transaction<Schema>, entryId: string): Promise<number | undefined> {
  const row = await trx.selectFrom('entries').select('version').where('id', '=', entryId).executeTakeFirst()
  return row?.version
}

/** Adds versions that are not there yet to the history of an entry, and returns them. */
export async function insertVersions(
  trx: Transaction<Schema>,
  entryId: string,
  rows: InsertObject<Schema, 'entry_revisions'>[],
) {
  const added = await trx
    .insertInto('entry_revisions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'version', 'bytes'])
    .execute()
  const bytes = added.reduce((sum, row) => sum + row.bytes, 0)
  await trx
    .updateTable('entries')
    .set({ history_bytes: sql`history_bytes + ${bytes}` })
    .where('id', '=', entryId)
    .execute()
  return added
}
