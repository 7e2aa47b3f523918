import type { Db } from '#server/database/rows.ts'
import type { Thing } from '#server/import/items.ts'

export async function insertItem(
  trx: Db,
  importId: string,
  item: Pick<Thing, 'ref' | 'key' | 'kind'>,
  targetId: string,
): Promise<void> {
  await trx
    .insertInto('import_items')
    .values({ import_id: importId, ref: item.ref, source_id: item.key, kind: item.kind, target_id: targetId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function removeItem(trx: Db, importId: string, targetId: string): Promise<void> {
  await trx
    .deleteFrom('import_items')
    .where('import_id', '=', importId)
    .where('target_id', '=', targetId)
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
