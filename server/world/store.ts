import { type RawBuilder, sql } from 'kysely'
import { coverOfEntry, coverOfProject } from '#server/database/covers.ts'
import { pictureOf } from '#server/database/people.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'

export type PublicProject = NonNullable<Awaited<ReturnType<typeof findPublicProject>>>
export type LatestRecord = NonNullable<Awaited<ReturnType<typeof findLatest>>>
export type EntrySummaryRecord = Awaited<ReturnType<typeof listEntrySummaries>>[number]

/** Returns a public project with its owner's name; undefined if it is private or does not exist. */
export function findPublicProject(db: Db, id: string) {
  return db
    .selectFrom('public_projects as p')
    .innerJoin('users as u', 'u.id', 'p.owner_id')
    .select(['p.id', 'p.title', 'p.description', 'p.created_at', 'u.name as owner_name'])
    .select([
      'p.milestone_count',
      'p.completed_milestone_count',
      'p.updated_at',
      'p.changed_at',
      'p.visibility',
    ])
    .select(sql<Date | null>`last_entry_at(p.id)`.as('last_entry_at'))
    .select(coverOfProject('p'))
    .where('p.id', '=', id)
    .executeTakeFirst()
}

/** Returns the versions of those of the given projects that are public, by id. A version changes with anything on the project's pages. */
export async function findPublicVersions(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await publicVersions.all(db, { ids })
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** Runs for every request. Triggers increment the revision with every change in the project; the owner's name is in another table. */
const publicVersions = prepared((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('public_projects as p')
    .innerJoin('users as u', 'u.id', 'p.owner_id')
    .select(['p.id', sql<string>`p.revision || ' ' || u.name`.as('version')])
    .where('p.id', '=', sql<string>`any(${ids}::uuid[])`),
)

/** Returns the number of entries of a milestone, or of the project's first milestone; undefined if there is no such milestone. */
export async function findEntryCount(
  db: Db,
  projectId: string,
  milestoneId: string | undefined,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('live_milestones')
    .select('entry_count')
    .where('project_id', '=', projectId)
    .$if(milestoneId !== undefined, (q) => q.where('id', '=', milestoneId ?? ''))
    .orderBy('position')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.entry_count
}

/** Returns whether the entry belongs to the project. */
export async function isEntryOf(db: Db, projectId: string, entryId: string): Promise<boolean> {
  const row = await db
    .selectFrom('live_entries as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select('e.id')
    .where('e.id', '=', entryId)
    .where('m.project_id', '=', projectId)
    .executeTakeFirst()
  return row !== undefined
}

/** A milestone with its number of entries, and its place among all milestones of the project, from 0. */
export type MilestoneSummaryRecord = {
  id: string
  title: string
  completed: boolean
  entry_count: number
  created_at: Date
  reached_at: Date | null
  place: number
}

export type MilestoneWindow = {
  milestones: MilestoneSummaryRecord[]
  /** The number of milestones of the project. */
  total: number
  /** The milestones in the middle of the windows before and after this one. */
  earlier: string | undefined
  later: string | undefined
}

/** Returns the milestones around one of the project, or its first ones, by position. */
export async function listMilestoneWindow(
  db: Db,
  projectId: string,
  { milestoneId, size }: { milestoneId: string | undefined; size: number },
): Promise<MilestoneWindow> {
  const half = Math.floor(size / 2)
  const { rows } = await sql<MilestoneSummaryRecord & { total: number; start: number }>`
    with all_of_it as (
      select id, title, completed, entry_count, created_at, reached_at,
        (row_number() over (order by position, id))::integer - 1 as place, (count(*) over ())::integer as total
      from live_milestones where project_id = ${projectId}),
    around as (
      select greatest(0, least(total - ${size}, place - ${half})) as start from all_of_it
      where id = ${milestoneId ?? null} or place = 0 order by place desc limit 1)
    select all_of_it.*, start from all_of_it cross join around
    where place >= start and place < start + ${size}
      or start > 0 and place = greatest(0, start - ${half})
      or place >= start + ${size} and place = least(total - 1, start + ${size} + ${half})
    order by place`.execute(db)
  const { total = 0, start = 0 } = rows[0] ?? {}
  return {
    milestones: rows.filter(({ place }) => place >= start && place < start + size),
    total,
    earlier: rows.find(({ place }) => place < start)?.id,
    later: rows.find(({ place }) => place >= start + size)?.id,
  }
}

/** Milestones that a drawing shows as one: the first of them, and whether all are completed and the current one is among them. */
export type StopRecord = { id: string; title: string; completed: boolean; current: boolean }

/** Returns all milestones of a project in at most `most` groups of about the same size, by position. */
export async function listStops(
  db: Db,
  projectId: string,
  { most, currentId }: { most: number; currentId?: string },
): Promise<StopRecord[]> {
  const { rows } = await sql<StopRecord>`
    with all_of_it as (
      select id, title, completed, row_number() over (order by position, id) as number, count(*) over () as total
      from live_milestones where project_id = ${projectId}),
    grouped as (select *, (number * least(total, ${most}) + total - 1) / total as stop from all_of_it)
    select (array_agg(id order by number))[1] as id, (array_agg(title order by number))[1] as title,
      bool_and(completed) as completed, coalesce(bool_or(id = ${currentId ?? null}::uuid), false) as current
    from grouped group by stop order by stop`.execute(db)
  return rows
}

/** Returns the titles of milestones by their ids. */
export async function findMilestoneTitles(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('live_milestones')
    .select(['id', 'title'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** Reads the description of a milestone. */
export async function findDescription(db: Db, milestoneId: string): Promise<string> {
  const { description } = await db
    .selectFrom('live_milestones')
    .select('description')
    .where('id', '=', milestoneId)
    .executeTakeFirstOrThrow()
  return description
}

/** Returns a page of a milestone's entries, newest first. Entries of earlier pages are skipped in the index alone. */
export function listEntrySummaries(db: Db, milestoneId: string, { limit, offset }: Range) {
  return entrySummaries(
    db,
    sql<string>`(
      select id from live_entries where milestone_id = ${milestoneId}
      order by happened_at desc, id desc limit ${limit} offset ${offset})`,
  )
}

/** Counts the live entries of the project with the tag. */
export async function countTagged(db: Db, projectId: string, tag: string): Promise<number> {
  const { total } = await db
    .selectFrom('live_milestones as m')
    .innerJoin('milestone_tags as t', 't.milestone_id', 'm.id')
    .select(sql<number>`coalesce(sum(t.entry_count), 0)::integer`.as('total'))
    .where('m.project_id', '=', projectId)
    .where('t.tag', '=', tag)
    .executeTakeFirstOrThrow()
  return total
}

/** Returns a page of the project's entries with the tag, newest first. Reads of each milestone, by index, at most as many as the page could contain. */
export function listTaggedEntrySummaries(
  db: Db,
  { projectId, tag }: { projectId: string; tag: string },
  { limit, offset }: Range,
) {
  return entrySummaries(
    db,
    sql<string>`(
      select first.entry_id from live_milestones m cross join lateral (
        select entry_id, created_at from entry_tags where milestone_id = m.id and tag = ${tag}
        order by created_at desc, entry_id desc limit ${offset}::bigint + ${limit}::bigint
      ) first
      where m.project_id = ${projectId}
      order by first.created_at desc, first.entry_id desc limit ${limit}::bigint offset ${offset}::bigint)`,
  )
}

type Range = { limit: number; offset: number }

/** Selects summaries of the entries with these ids, newest first. */
function entrySummaries(db: Db, ids: RawBuilder<string>) {
  return (
    db
      .selectFrom('live_entries as e')
      .leftJoin('entry_renderings as r', (join) =>
        join.onRef('r.entry_id', '=', 'e.id').onRef('r.entry_version', '=', 'e.version'),
      )
      .select(['id', 'title', 'tags', 'created_at', 'r.excerpt'])
      .select([
        'happened_at',
        'happened_on',
        'happened_zone',
        'author_name',
        pictureOf('e.author_id').as('author_picture'),
      ])
      .select(['image_id', 'image_width', 'image_height', coverOfEntry('e')])
      // For entries that are not rendered yet.
      .select(sql<string | null>`case when r.entry_id is null then left(content, 2000) end`.as('beginning'))
      .where('id', 'in', ids)
      .orderBy(sql`happened_at desc, id desc`)
      .execute()
  )
}

/** Returns the live entry of a project that happened last. Reads the latest entry of each milestone, by index. */
export function findLatest(db: Db, projectId: string) {
  return db
    .selectFrom('live_milestones as m')
    .innerJoinLateral(
      (q) =>
        q
          .selectFrom('live_entries')
          .select(['id', 'title', 'happened_at', 'happened_on', 'happened_zone'])
          .whereRef('milestone_id', '=', 'm.id')
          .orderBy(sql`happened_at desc, id desc`)
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select(['latest.id', 'latest.title', 'latest.happened_on', 'latest.happened_zone'])
    .where('m.project_id', '=', projectId)
    .where('m.entry_count', '>', 0)
    .orderBy(sql`latest.happened_at desc, latest.id desc`)
    .limit(1)
    .executeTakeFirst()
}

type Title = { _id: string; title: string }

/** Returns the milestone of an entry and its neighbors there; undefined unless the entry is in the project. */
export function findEntryPosition(db: Db, projectId: string, entryId: string) {
  const neighbour = (isBeside: ReturnType<typeof sql>, order: ReturnType<typeof sql>) =>
    sql<Title | null>`(select json_build_object('_id', n.id, 'title', n.title) from live_entries n
      where n.milestone_id = e.milestone_id and (n.happened_at, n.id) ${isBeside} (e.happened_at, e.id)
      order by ${order} limit 1)`
  return db
    .selectFrom('live_entries as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select([
      'e.title',
      'e.image_id',
      'm.id as milestone_id',
      'm.title as milestone_title',
      coverOfEntry('e'),
    ])
    .select(neighbour(sql`<`, sql`n.happened_at desc, n.id desc`).as('previous'))
    .select(neighbour(sql`>`, sql`n.happened_at, n.id`).as('next'))
    .where('e.id', '=', entryId)
    .where('m.project_id', '=', projectId)
    .executeTakeFirst()
}
