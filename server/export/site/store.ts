import { sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'

/** Returns the milestones of a project in the order of the story, with the number of their entries. */
export const listSiteMilestones = (db: Db, projectId: string) =>
  db
    .selectFrom('live_milestones')
    .select(['id', 'title', 'description', 'entry_count'])
    .where('project_id', '=', projectId)
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Returns the published entries of a project in the order of the story. */
export const listSiteEntries = (db: Db, projectId: string) =>
  db
    .selectFrom('live_entries as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select(['e.id', 'e.title', 'e.happened_on as on', 'm.id as milestone'])
    .where('m.project_id', '=', projectId)
    .orderBy('m.position')
    .orderBy('m.id')
    .orderBy('e.happened_at')
    .orderBy('e.id')
    .execute()

/** Returns the tags of a project's published entries, with the number of these. */
export const listSiteTags = (db: Db, projectId: string) =>
  db
    .selectFrom('live_milestones as m')
    .innerJoin('milestone_tags as t', 't.milestone_id', 'm.id')
    .select(['t.tag', sql<number>`sum(t.entry_count)::integer`.as('entries')])
    .where('m.project_id', '=', projectId)
    .where('t.entry_count', '>', 0)
    .groupBy('t.tag')
    .orderBy('t.tag')
    .execute()

/** Returns those of these files that are stored. */
export const listStoredFiles = (db: Db, ids: string[]) =>
  db
    .selectFrom('files')
    .select(['id', 'attempt', 'name', 'kind', 'type', 'widths', 'animated'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', '=', 'ready')
    .execute()

/** Returns those of these profile pictures that exist. */
export const listPersonPictures = (db: Db, ids: string[]) =>
  db.selectFrom('profile_pictures').select('id').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()

export async function findPersonPicture(db: Db, id: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('profile_pictures').select('bytes').where('id', '=', id).executeTakeFirst()
  return row?.bytes
}
