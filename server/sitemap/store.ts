import { sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'

type PageRange = { limit: number; offset: number }

/** Counts the projects that may be listed, and their entries by the projects' counters. */
export function countPublic(db: Db): Promise<{ projects: number; entries: number }> {
  return db
    .selectFrom('public_projects as p')
    .leftJoin('live_milestones as m', 'm.project_id', 'p.id')
    .where('p.visibility', '=', 'public')
    .select([
      sql<number>`count(distinct p.id)`.as('projects'),
      sql<number>`coalesce(sum(m.entry_count), 0)::bigint`.as('entries'),
    ])
    .executeTakeFirstOrThrow()
}

/** Returns public projects except unlisted ones, oldest first, and when their pages last changed. */
export function listPublicProjects(
  db: Db,
  { limit, offset }: PageRange,
): Promise<{ id: string; changed: Date }[]> {
  return db
    .selectFrom('public_projects as p')
    .select([
      'p.id',
      sql<Date>`greatest(p.updated_at,
        (select max(m.updated_at) from live_milestones m where m.project_id = p.id),
        (select max(e.updated_at) from live_entries e join live_milestones m on m.id = e.milestone_id where m.project_id = p.id))`.as(
        'changed',
      ),
    ])
    .where('p.visibility', '=', 'public')
    .orderBy('p.id')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Returns the entries of these projects, oldest first. */
export function listPublicEntries(
  db: Db,
  { limit, offset }: PageRange,
): Promise<{ id: string; project_id: string; changed: Date }[]> {
  return db
    .selectFrom('live_entries as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .innerJoin('public_projects as p', 'p.id', 'm.project_id')
    .select(['e.id', 'm.project_id', 'e.updated_at as changed'])
    .where('p.visibility', '=', 'public')
    .orderBy('e.id')
    .limit(limit)
    .offset(offset)
    .execute()
}
