import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import { withChange } from '#server/platform/changes/changes.ts'

/** Two positions of a project between which there is none; null before the first and after the last. */
export type Gap = { before: string | null; next: string | null }

/**
 * Returns the gap after a milestone of a project (null: before all; undefined: after all), as if `milestoneId` were not there. Returns
 * undefined if there is no such milestone. Those in the trash keep their places too.
 */
export async function findGap(
  db: Db,
  { projectId, milestoneId }: { projectId: string; milestoneId: string },
  after: string | null | undefined,
): Promise<Gap | undefined> {
  const others = sql`milestones where project_id = ${projectId} and id <> ${milestoneId}`
  const before =
    after === null
      ? sql`select null as position`
      : after === undefined
        ? sql`select max(position) as position from ${others}`
        : sql`select position from ${others} and id = ${after} and deleted_at is null`
  const { rows } = await sql<Gap>`
    select b.position as before, (
      select min(position) from ${others} and (b.position is null or position > b.position)) as next
    from (${before}) b`.execute(db)
  return rows[0]
}

/** Returns the position of a milestone. */
export async function findPosition(db: Db, id: string): Promise<string> {
  const { position } = await db
    .selectFrom('milestones')
    .select('position')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return position
}

/** Moves a milestone. Its version and its time of change are those of its fields and stay, so that nobody who edits it is in conflict. */
export async function updatePlace(
  trx: Transaction<Schema>,
  id: string,
  { projectId, position }: { projectId: string; position: string },
  change: string | null,
): Promise<void> {
  await trx
    .updateTable('milestones')
    .set({ project_id: projectId, position, changes: withChange(change) })
    .where('id', '=', id)
    .execute()
}

/** The ids of the milestones of a project in their order, with those in the trash. */
export async function listOrder(db: Db, projectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('milestones')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Gives milestones new positions, in the order of both lists. */
export async function updatePositions(
  trx: Transaction<Schema>,
  ids: string[],
  positions: string[],
): Promise<void> {
  await sql`
    update milestones m set position = n.position
    from unnest(${ids}::uuid[], ${positions}::text[]) as n (id, position) where m.id = n.id`.execute(trx)
}
