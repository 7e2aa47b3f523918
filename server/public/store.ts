import { type RawBuilder, sql } from 'kysely'
import type { Visibility } from '#contract/projects.ts'
import {
  type CoverJson,
  coverOfEntry,
  coverOfProject,
  tintOfProject,
  withoutCover,
} from '#server/database/covers.ts'
import { offers } from '#server/database/offered.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'
import { STOPS_MAX } from './picture/card.ts'
import { preparedForReaders, type ShownProject } from './readers.ts'

/** A public project with its owner's name. */
export type PublicProject = {
  id: string
  title: string
  description: string
  created_at: Date
  owner_name: string
  /** The name of the owner's page, if it is on. */
  owner_profile: string | null
  milestone_count: number
  completed_milestone_count: number
  updated_at: Date
  changed_at: Date | null
  /** `private`: a project as a share link shows it. */
  visibility: Visibility
  last_entry_at: Date | null
  cover: CoverJson | null
  tint: number | null
  emails_followers: boolean
  takes_reactions: boolean
  offers_downloads: boolean
}

/** The columns of a `PublicProject` in a select from `publicProjects`. */
export const projectColumns = columnsOfProject(sql`last_entry_at(p.id)`)

/** The same, for a statement that finds out itself when the newest entry happened. */
export function columnsOfProject(lastEntryAt: RawBuilder<unknown>) {
  return sql`p.id, p.title, p.description, p.created_at, u.name as owner_name,
  (select own.name from public_profiles own where own.user_id = p.owner_id) as owner_profile, p.milestone_count,
  p.completed_milestone_count, p.updated_at, p.changed_at, p.visibility, ${lastEntryAt} as last_entry_at,
  ${coverOfProject('p')}, ${tintOfProject('p', withoutCover('p'))}, ${offers('emails', 'p.id')} as emails_followers,
  ${offers('reactions', 'p.id')} as takes_reactions, ${offers('downloads', 'p.id')} as offers_downloads`
}

export const publicProjects = sql`public_projects p join users u on u.id = p.owner_id`

/** Returns a shown project; undefined unless it is shown. */
export const findShownProject = (db: Db, shown: ShownProject): Promise<PublicProject | undefined> =>
  shownProject(db, shown, {})

const shownProject = preparedForReaders<object, PublicProject>(
  (_db, { projectId }, within) =>
    sql`${beginning(within)} select ${projectColumns} from ${publicProjects} where p.id = ${projectId}`,
)

/** Returns the versions of those of the given projects that are public, by id. A version changes with anything on the project's pages. */
export async function findPublicVersions(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await publicVersions.all(db, { ids })
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** Runs for every request. Triggers increment the revision with every change in the project; the owner's name and page are in other tables. */
const publicVersions = prepared((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('public_projects as p')
    .innerJoin('users as u', 'u.id', 'p.owner_id')
    .leftJoin('public_profiles as own', 'own.user_id', 'p.owner_id')
    .select(['p.id', sql<string>`concat_ws(' ', p.revision, own.name, u.name)`.as('version')])
    .where('p.id', '=', sql<string>`any(${ids}::uuid[])`),
)

/** Returns the public and listed projects of an owner, those with the newest entries first. */
export function listListedProjects(
  db: Db,
  range: { ownerId: string; limit: number; offset: number },
): Promise<PublicProject[]> {
  return listedProjects.all(db, range)
}

const listedProjects = prepared(
  (db, { ownerId, limit, offset }: Parameters<typeof listListedProjects>[1]) => ({
    compile: () =>
      sql<PublicProject>`
      select ${projectColumns} from ${publicProjects} where p.owner_id = ${ownerId} and p.visibility = 'public'
      order by coalesce(last_entry_at(p.id), p.created_at) desc, p.id limit ${limit} offset ${offset}`.compile(
        db,
      ),
  }),
)

/** Milestones that a drawing shows as one: the first of them, and whether all are completed and the current one is among them. */
export type StopRecord = { id: string; title: string; completed: boolean; current: boolean }

/** Returns all milestones of a project in at most `STOPS_MAX` groups of about the same size, by position. */
export function listStops(db: Db, projectId: string, currentId: string | null): Promise<StopRecord[]> {
  return stops.all(db, { projectId, currentId })
}

const stops = prepared((db, { projectId, currentId }: { projectId: string; currentId: string | null }) => ({
  compile: () =>
    sql<StopRecord>`
      with listed as (
        select id, title, completed, row_number() over (order by position, id) - 1 as place, count(*) over () as total
        from live_milestones where project_id = ${projectId})
      ${stopsOf(STOPS_MAX, sql`${currentId}::uuid`)} order by stop`.compile(db),
}))

/** Selects the milestones of `listed`, each of which has its `place` from 0 and their `total`, in at most `most` groups. */
export const stopsOf = (most: number, currentId: RawBuilder<unknown> = sql`null::uuid`) => sql`
  select (array_agg(id) filter (where stop > stop_before))[1] as id, (array_agg(title) filter (where stop > stop_before))[1] as title,
    bool_and(completed) as completed, coalesce(bool_or(id = ${currentId}), false) as current, stop
  from (
    select id, title, completed, ((place + 1) * stops + total - 1) / total as stop, (place * stops + total - 1) / total as stop_before
    from (select *, least(total, ${sql.lit(most)}) as stops from listed) counted
  ) grouped group by stop`

/** Returns milestones by their ids. */
export async function findMilestones(db: Db, ids: readonly string[]) {
  const rows = await milestonesById.all(db, { ids })
  return new Map(rows.map((row) => [row.id, row]))
}

const milestonesById = prepared((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('live_milestones')
    .select(['id', 'title', 'project_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`),
)

/** An entry beside another one in the story, with its milestone if that is a different one. */
type Beside = { _id: string; title: string; milestone?: { _id: string; title: string } }

/** An entry's milestone, the entries beside it in the story, and the facts that its share picture shows. */
type EntryPosition = {
  title: string
  cover: CoverJson | null
  milestone_id: string
  milestone_title: string
  previous: Beside | null
  next: Beside | null
}

/** Returns a shown project with the position of one of its entries, null if it has no such entry; undefined unless it is shown. */
export const findPublicEntry = (db: Db, shown: ShownProject, entryId: string) =>
  publicEntry(db, shown, { entryId })

type Direction = { isBeside: string; order: '' | 'desc' }
const before: Direction = { isBeside: '<', order: 'desc' }
const after: Direction = { isBeside: '>', order: '' }

/** The entry beside `e`: of its milestone `m`, or else of the nearest one with entries in this direction. */
function besideInStory({ isBeside, order }: Direction) {
  const [is, by] = [sql.raw(isBeside), sql.raw(order)]
  return sql`coalesce(
    (select json_build_object('_id', n.id, 'title', n.title) from live_entries n
      where n.milestone_id = e.milestone_id and (n.happened_at, n.id) ${is} (e.happened_at, e.id)
      order by n.happened_at ${by}, n.id ${by} limit 1),
    (select json_build_object('_id', n.id, 'title', n.title, 'milestone', json_build_object('_id', o.id, 'title', o.title))
      from (
        select id, title from live_milestones other
        where other.project_id = m.project_id and other.entry_count > 0 and (other.position, other.id) ${is} (m.position, m.id)
        order by other.position ${by}, other.id ${by} limit 1) o
      cross join lateral (
        select id, title from live_entries where milestone_id = o.id
        order by happened_at ${by}, id ${by} limit 1) n))`
}

type PublicEntry = PublicProject & { position: EntryPosition | null }

const publicEntry = preparedForReaders<{ entryId: string }, PublicEntry>(
  (_db, { projectId, entryId }, within) => sql`
      ${beginning(within)} select ${projectColumns}, (
        select to_json(found) from (
          select e.title, ${coverOfEntry('e')}, m.id as milestone_id, m.title as milestone_title,
            ${besideInStory(before)} as previous, ${besideInStory(after)} as next
          from live_entries e join live_milestones m on m.id = e.milestone_id
          where e.id = ${entryId} and m.project_id = p.id
        ) found) as position
      from ${publicProjects} where p.id = ${projectId}`,
)

/** A statement begins with what shadows the views in it. */
const beginning = (within: RawBuilder<unknown> | undefined) => (within ? sql`with ${within}` : sql``)
