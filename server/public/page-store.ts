import { type RawBuilder, sql } from 'kysely'
import {
  WORLD_DAYS_ENTRIES_MAX,
  WORLD_ENTRIES_PER_PAGE,
  WORLD_MILESTONES_MAX,
  WORLD_STOPS_MAX,
} from '#contract/world.ts'
import { coverOfEntry } from '#server/database/covers.ts'
import { type FinishedJson, finishedFacts } from '#server/database/finished.ts'
import { pictureOf } from '#server/database/people.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'
import { shownByLink } from '#server/database/shown-by-link.ts'
import { preparedForReaders, type ShownProject } from './readers.ts'
import { columnsOfProject, type PublicProject, publicProjects, type StopRecord, stopsOf } from './store.ts'

/** A milestone in the timeline of a page, with its place among all milestones of the project, from 0. Times are texts of JSON. */
export type MilestoneJson = {
  id: string
  title: string
  completed: boolean
  entry_count: number
  created_at: string
  reached_at: string | null
  starts_on: string | null
  due_on: string | null
  place: number
}

/** The milestone of which a page shows the entries. */
type ChosenJson = { id: string; title: string; description: string; entry_count: number; total: number }

/** The milestone with entries after the chosen one. */
type FollowingJson = { id: string; title: string; entry_count: number; first: EntrySummaryJson }

export type LatestJson = { id: string; title: string; happened_on: string; happened_zone: string }

export type EntrySummaryRecord = Awaited<ReturnType<typeof listTaggedEntrySummaries>>[number]

/** An entry in the list of a page. */
export type EntrySummaryJson = Omit<EntrySummaryRecord, 'created_at' | 'happened_at'> & {
  created_at: string
  happened_at: string
}

/** The milestone of which a page shows the entries, by default the first one, and how many of these it skips. */
type Shown = { milestoneId: string | null; offset: number }

export type Order = 'newest' | 'oldest'

/** A public project with what its page shows. */
export type PublicPageRecord = PublicProject & {
  milestones: MilestoneJson[]
  /** The milestones in the middle of the windows before and after this one. */
  earlier: string | null
  later: string | null
  stops: StopRecord[]
  latest: LatestJson | null
  /** The entry with which the story begins, and the number of all entries. */
  first: { _id: string; title: string } | null
  entry_count: number
  days: string[]
  finished: FinishedJson | null
  chosen: ChosenJson | null
  following: FollowingJson | null
  entries: EntrySummaryJson[]
}

/**
 * Returns everything that a page of a shown project shows, by one statement, which is therefore one snapshot; undefined unless the
 * project is shown.
 */
export function findPublicPage(
  db: Db,
  project: ShownProject,
  { order, ...shown }: Shown & { order: Order },
): Promise<PublicPageRecord | undefined> {
  return pageStatements[order](db, project, shown)
}

/** What differs between the pages of a project. */
type PagePart = Pick<
  PublicPageRecord,
  'milestones' | 'earlier' | 'later' | 'chosen' | 'following' | 'entries'
>

/** Returns what a page of a shown project shows besides what all its pages do, which takes long if it has many milestones. */
export const findPagePart = (db: Db, project: ShownProject, shown: Shown): Promise<PagePart | undefined> =>
  pagePart(db, project, shown)

const size = sql.lit(WORLD_MILESTONES_MAX)
const pageSize = sql.lit(WORLD_ENTRIES_PER_PAGE)
const half = sql.lit(Math.floor(WORLD_MILESTONES_MAX / 2))

type PageOf = Shown & { projectId: string }

const pageIn = (order: Order) =>
  preparedForReaders<Shown, PublicPageRecord>(
    (db, page, within) => sql`${listed(page, within)}
      select ${factsOfProject()}, ${partOf(db, page, order)} from ${publicProjects} where p.id = ${page.projectId}`,
  )

const pageStatements = { newest: pageIn('newest'), oldest: pageIn('oldest') }

const pagePart = preparedForReaders<Shown, PagePart>(
  (db, page, within) => sql`${listed(page, within)}
    select ${partOf(db, page, 'oldest')} from ${publicProjects} where p.id = ${page.projectId}`,
)

/** `within`: the parts of a `with` that shadow the views of what readers see. */
const listed = ({ projectId, milestoneId }: PageOf, within: RawBuilder<unknown> | undefined) => sql`
      with ${within ? sql`${within},` : sql``} listed as materialized (
        select id, title, completed, entry_count, created_at, reached_at, starts_on, due_on, newest_entry_at,
          (row_number() over (order by position, id))::integer - 1 as place,
          (select count(*)::integer from live_milestones where project_id = ${projectId}) as total
        from live_milestones where project_id = ${projectId}),
      chosen as materialized (
        select id, title, entry_count, total, place, greatest(0, least(total - ${size}, place - ${half})) as start
        from listed where id = ${milestoneId}::uuid or place = 0 order by place desc limit 1),
      latest as materialized (
        select e.* from listed m cross join lateral (
          select id, title, happened_at, happened_on, happened_zone from live_entries
          where milestone_id = m.id and happened_at = m.newest_entry_at order by id desc limit 1) e
        where m.newest_entry_at = (select max(newest_entry_at) from listed) order by e.id desc limit 1)`

/** What all pages of a project show. */
const factsOfProject = () => sql`${columnsOfProject(sql`(select happened_at from latest)`)},
        (select coalesce(json_agg(s order by s.stop), '[]') from (
          ${stopsOf(WORLD_STOPS_MAX)}) s) as stops,
        (select json_build_object('id', id, 'title', title, 'happened_on', happened_on, 'happened_zone', happened_zone)
          from latest) as latest, ${first} as first,
        (select coalesce(sum(entry_count), 0)::integer from listed) as entry_count, ${days} as days,
        ${finishedFacts(sql`p.id`)} as finished`

const partOf = (db: Db, { offset }: PageOf, order: Order) => sql`${milestonesAround} as milestones,
        (select l.id from listed l, chosen c
          where c.start > 0 and l.place = greatest(0, c.start - ${half})) as earlier,
        (select l.id from listed l, chosen c
          where l.place >= c.start + ${size} and l.place = least(l.total - 1, c.start + ${size} + ${half})) as later,
        ${chosen} as chosen, ${following(db)} as following, ${entriesOfChosen(db, offset, order)} as entries`

const milestonesAround = sql`(select coalesce(json_agg(l order by l.place), '[]') from listed l, chosen c
  where l.place >= c.start and l.place < c.start + ${size})`

/** For the line of time, which needs a date of any milestone. */
const days = sql`(
  select coalesce(json_agg(d.happened_on order by d.happened_on), '[]') from (
    select distinct e.happened_on from listed l join live_entries e on e.milestone_id = l.id
    where (select sum(entry_count) from listed) <= ${sql.lit(WORLD_DAYS_ENTRIES_MAX)}
      and exists (select from listed where coalesce(starts_on, due_on, reached_at::date) is not null)) d)`

const chosen = sql`(select json_build_object('id', c.id, 'title', c.title, 'entry_count', c.entry_count,
    'total', c.total, 'description', (select m.description from live_milestones m where m.id = c.id)) from chosen c)`

/** A page of the chosen milestone's entries. Entries of earlier pages are skipped in the index alone. */
const entriesOfChosen = (db: Db, offset: number, order: Order) => sql`(
  select coalesce(json_agg(e order by ${inOrder(order, 'e.')}), '[]') from (${entrySummaries(
    db,
    sql<string>`(
    select id from live_entries where milestone_id = (select id from chosen)
    order by ${inOrder(order)} limit ${pageSize} offset ${offset}::bigint)`,
  )}) e)`

const inOrder = (order: Order, row = '') =>
  sql.raw(order === 'newest' ? `${row}happened_at desc, ${row}id desc` : `${row}happened_at, ${row}id`)

/** The oldest entry of the milestone `m`. */
const oldestEntry = sql`(select id, title from live_entries where milestone_id = m.id order by happened_at, id limit 1)`

const first = sql`(
  select json_build_object('_id', e.id, 'title', e.title)
  from (select id from listed where entry_count > 0 order by place limit 1) m cross join lateral ${oldestEntry} e)`

const following = (db: Db) => sql`(
  select json_build_object('id', m.id, 'title', m.title, 'entry_count', m.entry_count, 'first', to_json(s))
  from (
    select l.id, l.title, l.entry_count from listed l, chosen c
    where l.place > c.place and l.entry_count > 0 order by l.place limit 1) m
  cross join lateral (${entrySummaries(db, sql<string>`(select id from ${oldestEntry} oldest)`)}) s)`

/** Counts the entries with the tag that the project shows. */
export async function countTagged(db: Db, { projectId, linkId }: ShownProject, tag: string): Promise<number> {
  const { total = 0 } =
    linkId === undefined
      ? ((await taggedCount.first(db, { projectId, tag })) ?? {})
      : ((await sharedTaggedCount.first(db, { projectId, linkId, tag })) ?? {})
  return total
}

/** The counts of the tags of a milestone are of all its entries. */
const sharedTaggedCount = prepared(
  (db, { projectId, linkId, tag }: { projectId: string; linkId: string; tag: string }) => ({
    compile: () =>
      sql<{ total: number }>`with ${shownByLink(linkId)}
        select count(*)::integer as total from live_milestones m
        join entry_tags t on t.milestone_id = m.id join live_entries e on e.id = t.entry_id
        where m.project_id = ${projectId} and t.tag = ${tag}`.compile(db),
  }),
)

const taggedCount = prepared((db, { projectId, tag }: { projectId: string; tag: string }) =>
  db
    .selectFrom('live_milestones as m')
    .innerJoin('milestone_tags as t', 't.milestone_id', 'm.id')
    .select(sql<number>`coalesce(sum(t.entry_count), 0)::integer`.as('total'))
    .where('m.project_id', '=', projectId)
    .where('t.tag', '=', tag),
)

type Tagged = Pick<ShownProject, 'projectId' | 'linkId'> & { tag: string; offset: number }

/** Returns the ids of the entries of a project with a tag, newest first. Whoever calls this has read in the same snapshot that it is shown. */
export const listTaggedIds = (db: Db, projectId: string, tag: string) =>
  db
    .selectFrom('live_milestones as m')
    .innerJoin('entry_tags as t', 't.milestone_id', 'm.id')
    .select('t.entry_id as id')
    .where('m.project_id', '=', projectId)
    .where('t.tag', '=', tag)
    .orderBy('t.created_at', 'desc')
    .orderBy('t.entry_id', 'desc')
    .execute()

/** Returns a page of the project's entries with the tag, newest first. Reads of each milestone, by index, at most as many as the page could contain. */
export function listTaggedEntrySummaries(db: Db, { linkId, ...tagged }: Tagged) {
  if (linkId === undefined) return taggedSummaries.all(db, tagged)
  return sharedTaggedSummaries.all(db, { ...tagged, linkId })
}

type TaggedOf = Omit<Tagged, 'linkId'>

/** A link may hide any number of the entries with a tag, so all that it shows are read. */
const sharedTaggedSummaries = prepared(
  (db, { projectId, tag, offset, linkId }: TaggedOf & { linkId: string }) => ({
    compile: () =>
      sql<SummaryOf>`with ${shownByLink(linkId)} ${entrySummaries(
        db,
        sql<string>`(
        select t.entry_id from live_milestones m join entry_tags t on t.milestone_id = m.id and t.tag = ${tag}
        join live_entries e on e.id = t.entry_id
        where m.project_id = ${projectId}
        order by t.created_at desc, t.entry_id desc limit ${pageSize} offset ${offset}::bigint)`,
      )}`.compile(db),
  }),
)

type SummaryOf = Awaited<ReturnType<typeof taggedSummaries.all>>[number]

const taggedSummaries = prepared((db, { projectId, tag, offset }: TaggedOf) =>
  entrySummaries(
    db,
    sql<string>`(
      select first.entry_id from live_milestones m cross join lateral (
        select entry_id, created_at from entry_tags where milestone_id = m.id and tag = ${tag}
        order by created_at desc, entry_id desc limit ${offset}::bigint + ${pageSize}
      ) first
      where m.project_id = ${projectId}
      order by first.created_at desc, first.entry_id desc limit ${pageSize} offset ${offset}::bigint)`,
  ),
)

/** Returns summaries of these entries, in any order. Whoever calls this has read in the same snapshot that they are shown. */
export function listEntrySummaries(db: Db, ids: string[]) {
  return summaries.all(db, { ids })
}

const summaries = prepared((db, { ids }: { ids: string[] }) =>
  entrySummaries(db, sql<string>`(select unnest(${ids}::uuid[]))`),
)

/** Selects summaries of the entries with these ids, newest first. */
function entrySummaries(db: Db, ids: RawBuilder<string>) {
  return (
    db
      .selectFrom('live_entries as e')
      .leftJoin('entry_renderings as r', (join) =>
        join.onRef('r.entry_id', '=', 'e.id').onRef('r.entry_version', '=', 'e.version'),
      )
      .select(['id', 'title', 'tags', 'created_at', 'r.excerpt', 'r.word_count'])
      .select(['happened_at', 'happened_on', 'happened_zone', 'author_name'])
      .select(pictureOf('e.author_id').as('author_picture'))
      .select(coverOfEntry('e'))
      // For entries that are not rendered yet.
      .select(sql<string | null>`case when r.entry_id is null then left(content, 2000) end`.as('beginning'))
      .where('id', 'in', ids)
      .orderBy(sql`happened_at desc, id desc`)
  )
}
