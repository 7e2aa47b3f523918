import { type Kysely, sql } from 'kysely'
import { backupRuns } from '#server/database/backup-lock.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Marks those of these files for removal that nothing uses, and returns them. */
export async function giveUpFiles(db: Db, ids: string[]): Promise<string[]> {
  const given = await db
    .updateTable('files')
    .set({ state: 'removing', bytes: 0, unused_since: sql`'-infinity'::timestamptz` })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('unused_since', 'is not', null)
    .returning('id')
    .execute()
  return given.map(({ id }) => id)
}

/** How long an unused file is stored, so that a deletion can be undone. */
const RETENTION = sql`interval '1 day'`

/**
 * Claims for removal some files that were unused for a day or whose project was deleted. Claims none during a backup, whose
 * older snapshot may refer to them. Claimed files can no longer be used.
 */
export async function claimUnused(db: Kysely<Schema>, limit: number) {
  return db.transaction().execute(async (trx) => {
    if (await backupRuns(trx)) return []
    return trx
      .updateTable('files')
      .set({ state: 'removing', unused_since: sql`now() + interval '10 minutes' - ${RETENTION}` })
      .where('id', 'in', (q) =>
        q
          .selectFrom('files')
          .select('id')
          .where('unused_since', 'is not', null)
          .where(
            sql<boolean>`unused_since <= now() - ${RETENTION} or (project_id is null and state <> 'removing')`,
          )
          .orderBy('unused_since')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'attempt', 'widths', 'animated', 'type'])
      .execute()
  })
}

/** How long a reserved file may remain without bytes: longer than a traveling browser is offline. */
const AWAITED = sql`interval '7 days'`

/**
 * Gives up files whose bytes have not arrived within a week, even if texts refer to them: they no longer count towards quotas,
 * and are removed once nothing refers to them. Skips covers, because forms require that a cover is a file.
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

/** Deletes the records of files whose bytes were deleted. */
export async function deleteFiles(db: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('files').where('id', 'in', ids).execute()
}
