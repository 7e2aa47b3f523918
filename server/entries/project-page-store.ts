import { sql } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'
import {
  type milestonePages,
  order,
  type PageRange,
  type PageSize,
  type Reader,
  type Search,
  type Sort,
  searchEntries,
} from './page-store.ts'
import { columns, details, visibleTo } from './store.ts'

// There is no index by project: from the index of each milestone, the query reads only as many entries as could be on the page.

/** The number of live entries of a project, and its distinct tags in alphabetical order. */
async function findContents(db: Db, projectId: string): Promise<{ total: number; tags: string[] }> {
  return (await contents.first(db, { projectId })) ?? { total: 0, tags: [] }
}

const contents = prepared((db, { projectId }: { projectId: string }) => {
  const tags = sql<string[]>`array(
    select tag from (
      select distinct t.tag from live_milestones m join milestone_tags t on t.milestone_id = m.id
      where m.project_id = ${projectId}
    ) used order by sort_key(tag), tag)`
  return db
    .selectFrom('live_milestones')
    .select([sql<number>`coalesce(sum(entry_count), 0)::integer`.as('total'), tags.as('tags')])
    .where('project_id', '=', projectId)
})

/** The number of the reader's drafts in the project. */
async function countDrafts(db: Db, projectId: string, reader: string): Promise<number> {
  return (await drafts.first(db, { projectId, reader }))?.total ?? 0
}

const drafts = prepared((db, { projectId, reader }: { projectId: string; reader: string }) =>
  db
    .selectFrom('live_milestones as m')
    .innerJoin('entries_and_drafts as e', 'e.milestone_id', 'm.id')
    .select(sql<number>`count(*)`.as('total'))
    .where('m.project_id', '=', projectId)
    .where('e.author_id', '=', reader)
    .where('e.state', '=', sql.lit('draft' as const)),
)

/** The number of live entries of the project that have the tag. */
async function countTagged(db: Db, projectId: string, tag: string): Promise<number> {
  const row = await db
    .selectFrom('live_milestones as m')
    .innerJoin('milestone_tags as t', 't.milestone_id', 'm.id')
    .select(sql<number>`coalesce(sum(t.entry_count), 0)::integer`.as('total'))
    .where('m.project_id', '=', projectId)
    .where('t.tag', '=', tag)
    .executeTakeFirst()
  return row?.total ?? 0
}

/** A range of the project's entries that the reader sees. */
function listRange(db: Db, projectId: string, { sort, offset, limit, reader }: PageRange & Reader) {
  return rangeBy(sort, limit).all(db, { projectId, offset, reader })
}

const ranges = new Map<string, ReturnType<typeof prepareRange>>()

function rangeBy(sort: Sort, limit: PageSize) {
  const key = `${sort} ${limit}`
  const known = ranges.get(key) ?? prepareRange(sort, limit)
  ranges.set(key, known)
  return known
}

function prepareRange(sort: Sort, limit: PageSize) {
  return prepared((db, { projectId, offset, reader }: { projectId: string; offset: number } & Reader) =>
    db
      .selectFrom('entries_and_drafts as e')
      .select(columns)
      .select(details)
      .where(
        'id',
        'in',
        sql<string>`(
          select first.id from live_milestones m cross join lateral (
            select id, happened_at ${titleKey(sort)} from entries_and_drafts
            where milestone_id = m.id and ${visibleTo(reader)}
            order by ${order(sort)} limit ${offset}::bigint + ${sql.lit(limit)}
          ) first
          where m.project_id = ${projectId}
          order by ${order(sort)} limit ${sql.lit(limit)} offset ${offset}::bigint)`,
      )
      .orderBy(order(sort)),
  )
}

/** The index by date has no titles. */
const titleKey = (sort: Sort) => (sort === 'title' ? sql`, title_key` : sql``)

/** A range of the project's live entries that have the tag. */
function listTagged(db: Db, projectId: string, tag: string, { sort, offset, limit }: PageRange) {
  return db
    .selectFrom('live_entries as e')
    .select(columns)
    .select(details)
    .where('id', 'in', taggedIds(projectId, tag, { sort, offset, limit }))
    .orderBy(order(sort))
    .execute()
}

/** The ids of a range of the project's live entries that have the tag, as a subquery. */
function taggedIds(
  projectId: string,
  tag: string,
  { sort, offset, limit }: Omit<PageRange, 'limit'> & { limit: number },
) {
  const names = { date: 'created_at', id: 'entry_id' }
  return sql<string>`(
    select first.entry_id from live_milestones m cross join lateral (
      select entry_id, created_at ${titleKey(sort)} from entry_tags
      where milestone_id = m.id and tag = ${tag}
      order by ${order(sort, names)} limit ${offset}::bigint + ${limit}::bigint
    ) first
    where m.project_id = ${projectId}
    order by ${order(sort, { date: 'first.created_at', id: 'first.entry_id' })} limit ${limit}::bigint offset ${offset}::bigint)`
}

const search = (db: Db, projectId: string, what: Search) =>
  searchEntries(
    db,
    sql<boolean>`milestone_id in (select id from live_milestones where project_id = ${projectId})`,
    what,
  )

/** The statements that read pages of a project's entries. */
export const projectPages: typeof milestonePages = {
  findContents,
  countDrafts,
  countTagged,
  listRange,
  listTagged,
  search,
}
