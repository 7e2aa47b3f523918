import type { Db } from '#server/database/rows.ts'

/** The name under which the owner of a project is shown; undefined if there is no such project. */
export async function findOwnerName(db: Db, projectId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.owner_id')
    .select('users.name')
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  return row?.name
}
