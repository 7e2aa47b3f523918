import { sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'
import type { Thing } from '#server/import/items.ts'

/** Records what an import has created, or is about to create. */
export async function insertItems(
  trx: Db,
  importId: string,
  items: { item: Pick<Thing, 'ref' | 'key' | 'kind'>; id: string }[],
): Promise<void> {
  await trx
    .insertInto('import_items')
    .values(
      items.map(({ item: { ref, key, kind }, id }) => ({
        import_id: importId,
        ref,
        source_id: key,
        kind,
        target_id: id,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Forgets that an import has created these. */
export async function removeItems(trx: Db, importId: string, targetIds: string[]): Promise<void> {
  if (targetIds.length === 0) return
  await trx
    .deleteFrom('import_items')
    .where('import_id', '=', importId)
    .where('target_id', '=', sql<string>`any(${targetIds}::uuid[])`)
    .execute()
}

/** Returns the project in which a live milestone is now. */
export async function findProjectOfMilestone(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('live_milestones')
    .select('project_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.project_id
}
