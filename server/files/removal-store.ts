import { type Kysely, sql, type Transaction } from 'kysely'
import { backupRuns } from '#server/database/backup-lock.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Gives up a file that nothing uses; false where something does. */
export async function giveUpFile(trx: Transaction<Schema>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('files')
    .set({ state: 'removing', bytes: 0, unused_since: sql`'-infinity'::timestamptz` })
    .where('id', '=', id)
    .where('unused_since', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** How long a file is kept without use: long enough to take a deletion back. */
const KEPT = sql`interval '1 day'`

/**
 * Claims some files that nothing has used for a day, or whose project is gone, for removal; none while a backup runs,
 * whose older snapshot may still refer to them. Claimed files can no longer be used.
 */
export async function claimUnused(db: Kysely<Schema>, limit: number) {
  return db.transaction().execute(async (trx) => {
    if (await backupRuns(trx)) return []
    return trx
      .updateTable('files')
      .set({ state: 'removing', unused_since: sql`now() + interval '10 minutes' - ${KEPT}` })
      .where('id', 'in', (q) =>
        q
          .selectFrom('files')
          .select('id')
          .where('unused_since', 'is not', null)
          .where(
            sql<boolean>`unused_since <= now() - ${KEPT} or (project_id is null and state <> 'removing')`,
          )
          .orderBy('unused_since')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'attempt', 'widths', 'animated'])
      .execute()
  })
}

/** How long a text may wait for the bytes of a file: longer than a browser is offline on a journey. */
const AWAITED = sql`interval '7 days'`

/**
 * Gives up files whose bytes have not come in a week, though texts refer to them: they take no room any more, and are
 * removed once nothing refers to them. Covers are left alone, of which a form says that they must be files.
 */
export async function giveUpAwaited(db: Db): Promise<void> {
  await db
    .updateTable('files as f')
    .set({ state: 'removing', bytes: 0 })
    .where('f.state', '=', 'waiting')
    .where(sql<boolean>`f.created_at <= now() - ${AWAITED}`)
    .where(sql<boolean>`not exists (select from file_uses u where u.file_id = f.id and u.used_as = 'cover')`)
    .execute()
}

/** Deletes the records of files whose bytes are gone. */
export async function deleteFiles(db: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('files').where('id', 'in', ids).execute()
}
