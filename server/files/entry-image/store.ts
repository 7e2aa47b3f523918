import { type Kysely, sql } from 'kysely'
import { backupRuns } from '#server/database/backup-lock.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Records an image before its files are written. It is removed after an hour unless an entry refers to it. */
export async function insertImage(db: Db, id: string): Promise<void> {
  await db.insertInto('images').values({ id, remove_after: sql`now() + interval '1 hour'` }).execute()
}

/** Marks an image for removal, unless an entry refers to it. */
export async function abandonImage(db: Db, id: string): Promise<void> {
  await db
    .updateTable('images')
    .set({ remove_after: sql`now()` })
    .where('id', '=', id)
    .where('remove_after', 'is not', null)
    .execute()
}

/** Returns the project in which this reader (null: a visitor) sees the image, in an entry or their own draft; undefined if there is none. */
export async function findProjectOfImage(
  db: Db,
  id: string,
  reader: string | null,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('entries_and_drafts as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select('m.project_id')
    .where('e.image_id', '=', id)
    .where(sql<boolean>`(e.state = 'published' or e.author_id = ${reader}::uuid)`)
    .executeTakeFirst()
  return row?.project_id
}

/**
 * Claims images that are due for removal, for ten minutes in which no other process claims them. Claims none during a backup,
 * whose older snapshot may refer to them.
 */
export async function claimRemovable(db: Kysely<Schema>, limit: number): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    if (await backupRuns(trx)) return []
    const claimed = await trx
      .updateTable('images')
      .set({ remove_after: sql`now() + interval '10 minutes'` })
      .where('id', 'in', (q) =>
        q
          .selectFrom('images')
          .select('id')
          .where('remove_after', '<=', sql<Date>`now()`)
          .orderBy('remove_after')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute()
    return claimed.map(({ id }) => id)
  })
}

/** Deletes the records of images whose files were deleted. */
export async function deleteImages(db: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('images').where('id', 'in', ids).execute()
}
