import { sql } from 'kysely'
import type { Neighbour } from '#contract/entries.ts'
import { coverOfEntry } from '#server/database/covers.ts'
import { pictureOf } from '#server/database/people.ts'
import { prepared } from '#server/database/prepared.ts'
import type { EntryRenderingRow } from '#server/database/rows/entries.ts'
import type { Db } from '#server/database/rows.ts'

/** The columns of an entry that readers and savers return. */
export const columns = [
  'id',
  'milestone_id',
  'title',
  'content',
  'tags',
  'cover_file_id',
  'no_cover',
  'first_picture_id',
  'happened_at',
  'happened_on',
  'happened_zone',
  'author_id',
  'author_name',
  'state',
  'published_at',
  'version',
  'created_at',
  'updated_at',
] as const

/** Which of `entries_and_drafts` a person sees, or a visitor (null). */
export const visibleTo = (reader: string | null) =>
  sql<boolean>`(state = 'published' or author_id = ${reader}::uuid)`

/** The summary of the rendering of the entry `e` for lists; null if its current content has not been rendered. */
const summary = sql<RenderingSummary | null>`(
  select json_build_object('excerpt', r.excerpt, 'word_count', r.word_count, 'rendered_as', r.rendered_as)
  from entry_renderings r where r.entry_id = e.id and r.entry_version = e.version)`.as('rendering')

/** When an entry publishes itself, as JSON. */
export type ScheduleJson = { at: string; zone: string }

const schedule = sql<ScheduleJson | null>`case when e.state = 'draft' then (
  select json_build_object('at', s.publish_at, 'zone', s.zone) from entry_schedules s where s.entry_id = e.id) end`.as(
  'schedule',
)

/** Selected with every entry, in addition to its columns. */
export const details = [
  summary,
  coverOfEntry('e'),
  pictureOf('e.author_id').as('author_picture'),
  schedule,
] as const

export type RenderingSummary = Pick<EntryRenderingRow, 'excerpt' | 'word_count' | 'rendered_as'>

export type EntryRecord = NonNullable<Awaited<ReturnType<typeof findEntry>>>

/** All entries of a milestone that the reader sees, newest first, for a cursor. */
export function entriesOfMilestone(db: Db, milestoneId: string, reader: string | null) {
  return db
    .selectFrom('entries_and_drafts as e')
    .select(columns)
    .select(details)
    .where('milestone_id', '=', milestoneId)
    .where(visibleTo(reader))
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')
}

/** As many entries of a milestone as most milestones have. */
export const FEW = 12

/** The first few of `entriesOfMilestone`. */
export function listFew(db: Db, milestoneId: string, reader: string | null) {
  return few.all(db, { milestoneId, reader })
}

const few = prepared((db, { milestoneId, reader }: { milestoneId: string; reader: string | null }) =>
  entriesOfMilestone(db, milestoneId, reader).limit(sql.lit(FEW)),
)

/** All live entries of a project, for a cursor, in the order of the milestones and in each the newest first. */
export function entriesOfProject(db: Db, projectId: string) {
  return db
    .selectFrom('live_entries as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select(columns.map((name) => `e.${name}` as const))
    .select(details)
    .where('m.project_id', '=', projectId)
    .orderBy('m.position')
    .orderBy('m.id')
    .orderBy('e.happened_at', 'desc')
    .orderBy('e.id', 'desc')
}

/** The entries of projects that were published last. From the index of each milestone it reads only as many as could be among them. */
export function listLastPublished(db: Db, projectIds: readonly string[], limit: number) {
  return lastPublished.all(db, { projectIds, limit })
}

const lastPublished = prepared(
  (db, { projectIds, limit }: { projectIds: readonly string[]; limit: number }) =>
    db
      .selectFrom('live_milestones')
      .innerJoinLateral(
        (q) =>
          q
            .selectFrom('live_entries as e')
            .select(columns)
            .select(details)
            .whereRef('milestone_id', '=', 'live_milestones.id')
            .orderBy('published_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .as('newest'),
        (join) => join.onTrue(),
      )
      .selectAll('newest')
      .where('live_milestones.project_id', '=', sql<string>`any(${projectIds}::uuid[])`)
      .orderBy('newest.published_at', 'desc')
      .orderBy('newest.id', 'desc')
      .limit(limit),
)

/** An entry of this milestone that the reader sees; undefined if it belongs to another milestone or is somebody else's unpublished one. */
export function findEntry(db: Db, milestoneId: string, id: string, reader: string | null) {
  return entryOf.first(db, { milestoneId, id, reader })
}

const entryOf = prepared(
  (db, { milestoneId, id, reader }: { milestoneId: string; id: string; reader: string | null }) =>
    db
      .selectFrom('entries_and_drafts as e')
      .select(columns)
      .select(details)
      .where('id', '=', id)
      .where('milestone_id', '=', milestoneId)
      .where(visibleTo(reader)),
)

/** The milestone and the project of an entry whose state the reader may see; the caller has to check access to the project. */
export function findLocation(db: Db, id: string, reader: string | null) {
  return locationOf.first(db, { id, reader })
}

const locationOf = prepared((db, { id, reader }: { id: string; reader: string | null }) =>
  db
    .selectFrom('entries_and_drafts as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select(['m.id as milestone', 'm.project_id as project'])
    .where('e.id', '=', id)
    .where(visibleTo(reader)),
)

type Beside = { milestoneId: string; happenedAt: Date; id: string; reader: string | null }

/** The entries before and after this one in the story, among those that the reader sees. */
export async function findNeighbours(
  db: Db,
  beside: Beside,
): Promise<{ previous: Neighbour | null; next: Neighbour | null }> {
  const [previous, next] = [await before.first(db, beside), await after.first(db, beside)]
  return { previous: presentNeighbour(previous), next: presentNeighbour(next) }
}

type NeighbourRow = Pick<Neighbour, '_id' | 'title'> & { milestone: Neighbour['milestone'] | null }

const presentNeighbour = (row: NeighbourRow | undefined): Neighbour | null =>
  row ? { _id: row._id, title: row.title, ...(row.milestone && { milestone: row.milestone }) } : null

type Direction = { isBeside: '<' | '>'; order: 'asc' | 'desc' }

const before = prepared((db, beside: Beside) => ({
  compile: () => besideInStory(beside, { isBeside: '<', order: 'desc' }).compile(db),
}))

const after = prepared((db, beside: Beside) => ({
  compile: () => besideInStory(beside, { isBeside: '>', order: 'asc' }).compile(db),
}))

/** The adjacent entry of the same milestone, or else of the nearest one in this direction that has any. */
function besideInStory({ milestoneId, happenedAt, id, reader }: Beside, { isBeside, order }: Direction) {
  const [is, by] = [sql.raw(isBeside), sql.raw(order)]
  return sql<NeighbourRow>`
    select n.id as _id, n.title, n.milestone from (
      (select 0 as distance, id, title, null::json as milestone from entries_and_drafts
        where milestone_id = ${milestoneId} and ${visibleTo(reader)}
          and (happened_at, id) ${is} (${happenedAt}::timestamptz, ${id}::uuid)
        order by happened_at ${by}, id ${by} limit 1)
      union all
      (select 1, e.id, e.title, json_build_object('_id', o.id, 'title', o.title)
        from live_milestones m
        join live_milestones o on o.project_id = m.project_id and (o.position, o.id) ${is} (m.position, m.id)
        cross join lateral (
          select id, title from entries_and_drafts
          where milestone_id = o.id and ${visibleTo(reader)}
          order by happened_at ${by}, id ${by} limit 1) e
        where m.id = ${milestoneId}
        order by o.position ${by}, o.id ${by} limit 1)) n
    order by n.distance limit 1`
}
