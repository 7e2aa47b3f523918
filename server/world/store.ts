import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '#server/database/rows.ts'

export type PublicProject = NonNullable<Awaited<ReturnType<typeof findPublicProject>>>
export type StopRecord = Awaited<ReturnType<typeof listStops>>[number]
export type LineRecord = Awaited<ReturnType<typeof listLines>>[number]

/** A public project with its owner's name; undefined if it is private or there is none. */
export function findPublicProject(db: Db, id: string) {
  return db
    .selectFrom('projects as p')
    .innerJoin('users as u', 'u.id', 'p.owner_id')
    .select(['p.id', 'p.title', 'p.description', 'p.created_at', 'u.name as owner_name'])
    .select(['p.milestone_count', 'p.completed_milestone_count', 'p.updated_at', 'p.changed_at'])
    .where('p.id', '=', id)
    .where('p.is_public', '=', true)
    .executeTakeFirst()
}

/** Of each public project among these, by its id, what changes whenever anything that its pages show does. */
export async function findStamps(
  pool: Pick<Pool, 'query'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await pool.query<[string, string]>({ ...stampsOf, values: [`{${ids.join()}}`] })
  return new Map(rows)
}

/** Asked for every answer: prepared once on each connection, and not built anew by kysely, which costs more than asking. */
const stampsOf = {
  name: 'stamps',
  text: `select p.id, p.revision || ' ' || u.name from projects p join users u on u.id = p.owner_id
    where p.id = any($1::uuid[]) and p.is_public`,
  rowMode: 'array',
} as const

/** The milestones of a project, oldest first, as stops. */
export function listStops(db: Db, projectId: string) {
  return db
    .selectFrom('milestones')
    .select(['id', 'title', 'completed', 'entry_count', 'created_at'])
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** What a milestone is about. */
export async function findDescription(db: Db, milestoneId: string): Promise<string> {
  const { description } = await db
    .selectFrom('milestones')
    .select('description')
    .where('id', '=', milestoneId)
    .executeTakeFirstOrThrow()
  return description
}

/** A stretch of a milestone's entries, newest first; those before it are passed over in the index alone. */
export function listLines(db: Db, milestoneId: string, { limit, offset }: { limit: number; offset: number }) {
  return (
    db
      .selectFrom('entries')
      .leftJoin('entry_renderings as r', (join) =>
        join.onRef('r.entry_id', '=', 'entries.id').onRef('r.entry_version', '=', 'entries.version'),
      )
      .select(['id', 'title', 'tags', 'created_at', 'r.excerpt'])
      // Of what is not rendered yet.
      .select(sql<string | null>`case when r.entry_id is null then left(content, 2000) end`.as('beginning'))
      .where('id', 'in', (q) =>
        q
          .selectFrom('entries')
          .select('id')
          .where('milestone_id', '=', milestoneId)
          .orderBy(sql`created_at desc, id desc`)
          .limit(limit)
          .offset(offset),
      )
      .orderBy(sql`created_at desc, id desc`)
      .execute()
  )
}

type Title = { _id: string; title: string }

/** Where in a project an entry stands: its milestone, and what was written there before and after it. */
export function findEntryPlace(db: Db, projectId: string, entryId: string) {
  const neighbour = (isBeside: ReturnType<typeof sql>, order: ReturnType<typeof sql>) =>
    sql<Title | null>`(select json_build_object('_id', n.id, 'title', n.title) from entries n
      where n.milestone_id = e.milestone_id and (n.created_at, n.id) ${isBeside} (e.created_at, e.id)
      order by ${order} limit 1)`
  return db
    .selectFrom('entries as e')
    .innerJoin('milestones as m', 'm.id', 'e.milestone_id')
    .select(['e.title', 'm.id as milestone_id', 'm.title as milestone_title'])
    .select(neighbour(sql`<`, sql`n.created_at desc, n.id desc`).as('previous'))
    .select(neighbour(sql`>`, sql`n.created_at, n.id`).as('next'))
    .where('e.id', '=', entryId)
    .where('m.project_id', '=', projectId)
    .executeTakeFirst()
}
