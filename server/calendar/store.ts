import { type RawBuilder, sql } from 'kysely'
import type { CountedDay } from '#contract/calendar.ts'
import { type CoverJson, coverOfEntry } from '#server/database/covers.ts'
import { pictureOf } from '#server/database/people.ts'
import type { Db } from '#server/database/rows.ts'

/**
 * The instants that can be on these days somewhere: zones are up to 14 hours before and 12 behind UTC. They bound what is read of the
 * index of each milestone by `happened_at`; the day itself decides.
 */
const around = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`
  e.happened_at >= (${from} - 1)::timestamp at time zone 'UTC'
  and e.happened_at < (${to} + 2)::timestamp at time zone 'UTC'
  and e.happened_on between ${from} and ${to}`

/** The pictures that readers see in chosen entries. */
const pictures = sql`
  select u.entry_id, count(distinct u.file_id)::integer as count
  from chosen c join file_uses u on u.entry_id = c.id join files f on f.id = u.file_id
  where f.kind = 'image' and f.state = 'ready' group by u.entry_id`

/** Counts the published entries of projects by the days of their authors. */
export async function countByDay(
  db: Db,
  { projectIds, from, to }: { projectIds: string[]; from: string; to: string },
): Promise<CountedDay[]> {
  const { rows } = await sql<CountedDay>`
    with chosen as materialized (
      select e.id, e.happened_on, e.version from live_milestones m cross join lateral (
        select e.id, e.happened_on, e.version from live_entries e
        where e.milestone_id = m.id and ${around(sql`${from}::date`, sql`${to}::date`)} offset 0) e
      where m.project_id = any(${projectIds}::uuid[]) and m.entry_count > 0),
    pictures as (${pictures})
    select c.happened_on::text as day, count(*)::integer as entries,
      coalesce(sum(r.word_count), 0)::integer as words, coalesce(sum(p.count), 0)::integer as pictures
    from chosen c
    left join entry_renderings r on r.entry_id = c.id and r.entry_version = c.version
    left join pictures p on p.entry_id = c.id
    group by c.happened_on order by c.happened_on`.execute(db)
  return rows
}

export type NumbersRow = {
  days: number
  entries: number
  words: number
  pictures: number
  first_day: string | null
  last_day: string | null
  pause_from: string | null
  pause_to: string | null
}

/** Counts the published entries of projects, and finds the longest pause between two of their days; the latest of equal ones. */
export async function countAll(db: Db, projectIds: string[]): Promise<NumbersRow> {
  const { rows } = await sql<NumbersRow>`
    with chosen as materialized (
      select e.id, e.happened_on, e.version from live_milestones m join live_entries e on e.milestone_id = m.id
      where m.project_id = any(${projectIds}::uuid[])),
    days as (select happened_on as day, lag(happened_on) over (order by happened_on) as before from chosen group by 1),
    pause as (select before, day from days where day - before > 1 order by day - before desc, day desc limit 1)
    select (select count(*)::integer from days) as days, (select count(*)::integer from chosen) as entries,
      (select coalesce(sum(r.word_count), 0)::integer from chosen c
        join entry_renderings r on r.entry_id = c.id and r.entry_version = c.version) as words,
      (select coalesce(sum(p.count), 0)::integer from (${pictures}) p) as pictures,
      (select min(day)::text from days) as first_day, (select max(day)::text from days) as last_day,
      (select before::text from pause) as pause_from, (select day::text from pause) as pause_to`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a count returned nothing')
  return row
}

export type DatedRow = {
  id: string
  title: string
  excerpt: string
  cover: CoverJson | null
  happened_on: string
  happened_zone: string
  author_name: string | null
  author_picture: string | null
  milestone_id: string
  milestone_title: string
  project_id: string
  project_title: string
}

/** Selects the entries of `found (id, total)` with their places, the newest first. */
const shown = sql`
  select e.id, e.title, coalesce(r.excerpt, '') as excerpt, ${coverOfEntry('e').expression} as cover,
    e.happened_on::text, e.happened_zone, e.author_name, ${pictureOf('e.author_id')} as author_picture,
    m.id as milestone_id, m.title as milestone_title, p.id as project_id, p.title as project_title
  from found join live_entries e on e.id = found.id
  join live_milestones m on m.id = e.milestone_id join live_projects p on p.id = m.project_id
  left join entry_renderings r on r.entry_id = e.id and r.entry_version = e.version
  order by e.happened_on desc, e.happened_at desc, e.id desc`

type DayQuery = { projectIds: string[]; day: string }

const ofDay = ({ projectIds, day }: DayQuery) => sql`
  live_milestones m cross join lateral (
    select e.id, e.happened_at from live_entries e
    where e.milestone_id = m.id and ${around(sql`${day}::date`, sql`${day}::date`)} offset 0) e
  where m.project_id = any(${projectIds}::uuid[]) and m.entry_count > 0`

/** Counts the published entries of a day. */
export async function countDay(db: Db, query: DayQuery): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${ofDay(query)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns some of the published entries of a day, the latest first. */
export async function listOfDay(
  db: Db,
  query: DayQuery & { offset: number; limit: number },
): Promise<DatedRow[]> {
  const { rows } = await sql<DatedRow>`
    with found as (
      select e.id from ${ofDay(query)} order by e.happened_at desc, e.id desc
      limit ${query.limit} offset ${query.offset})
    ${shown}`.execute(db)
  return rows
}

/**
 * Returns the newest published entries of some days. Of each milestone only the days between its first and its last entry are looked
 * up, by its index.
 */
export async function listOfDays(
  db: Db,
  { projectIds, days, limit }: { projectIds: string[]; days: string[]; limit: number },
): Promise<DatedRow[]> {
  const { rows } = await sql<DatedRow>`
    with spans as materialized (
      select m.id,
        (select e.happened_at from live_entries e where e.milestone_id = m.id order by e.happened_at limit 1) as first,
        (select e.happened_at from live_entries e where e.milestone_id = m.id order by e.happened_at desc limit 1) as last
      from live_milestones m where m.project_id = any(${projectIds}::uuid[]) and m.entry_count > 0),
    found as (
      select e.id from spans s
      join unnest(${days}::date[]) d (day) on d.day between s.first::date - 2 and s.last::date + 2
      cross join lateral (
        select e.id, e.happened_on, e.happened_at from live_entries e
        where e.milestone_id = s.id and ${around(sql`d.day`, sql`d.day`)} offset 0) e
      order by e.happened_on desc, e.happened_at desc, e.id desc limit ${limit})
    ${shown}`.execute(db)
  return rows
}

/** Returns which of these projects a person's dashboard does not remember. */
export async function listForgotten(db: Db, userId: string, projectIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('forgotten_anniversaries')
    .select('project_id')
    .where('user_id', '=', userId)
    .where(sql<boolean>`project_id = any(${projectIds}::uuid[])`)
    .execute()
  return rows.map(({ project_id }) => project_id)
}

/** Remembers a project on a person's dashboard, or not. */
export async function saveRemembered(
  db: Db,
  { userId, projectId, isRemembered }: { userId: string; projectId: string; isRemembered: boolean },
): Promise<void> {
  if (isRemembered)
    await db
      .deleteFrom('forgotten_anniversaries')
      .where('user_id', '=', userId)
      .where('project_id', '=', projectId)
      .execute()
  else
    await db
      .insertInto('forgotten_anniversaries')
      .values({ user_id: userId, project_id: projectId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
