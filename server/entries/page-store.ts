import { type RawBuilder, sql } from 'kysely'
import type { EntryQuery } from '#contract/entries.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'
import { columns, details, visibleTo } from './store.ts'

export type Sort = EntryQuery['sort']
export type PageSize = EntryQuery['limit']

/** A range of a sorted list: `limit` items after the first `offset`. */
export type PageRange = { sort: Sort; offset: number; limit: PageSize }

/** The person whose drafts are included, or null for none. */
export type Reader = { reader: string | null }

/** A page of the entries that contain the text, among all that the reader sees or those with one tag. */
export type Search = {
  text: string
  tag: string | undefined
  sort: Sort
  page: number
  limit: number
  reader: string | null
}

/** The number of live entries of a milestone, and its distinct tags in alphabetical order. */
async function findContents(db: Db, milestoneId: string): Promise<{ total: number; tags: string[] }> {
  return (await contents.first(db, { milestoneId })) ?? { total: 0, tags: [] }
}

const contents = prepared((db, { milestoneId }: { milestoneId: string }) => {
  const tags = sql<string[]>`array(
    select tag from milestone_tags where milestone_id = ${milestoneId} order by sort_key(tag), tag)`
  return db
    .selectFrom('live_milestones')
    .select(['entry_count as total', tags.as('tags')])
    .where('id', '=', milestoneId)
})

/** The number of the reader's drafts in the milestone. */
async function countDrafts(db: Db, milestoneId: string, reader: string): Promise<number> {
  return (await drafts.first(db, { milestoneId, reader }))?.total ?? 0
}

const drafts = prepared((db, { milestoneId, reader }: { milestoneId: string; reader: string }) =>
  db
    .selectFrom('entries_and_drafts')
    .select(sql<number>`count(*)`.as('total'))
    .where('milestone_id', '=', milestoneId)
    .where('author_id', '=', reader)
    .where('state', '=', sql.lit('draft' as const)),
)

/** The number of live entries of the milestone that have the tag. */
async function countTagged(db: Db, milestoneId: string, tag: string): Promise<number> {
  const row = await db
    .selectFrom('milestone_tags')
    .select('entry_count')
    .where('milestone_id', '=', milestoneId)
    .where('tag', '=', tag)
    .executeTakeFirst()
  return row?.entry_count ?? 0
}

/** A range of the milestone's entries that the reader sees; the entries before it are skipped in the index. */
export function listRange(db: Db, milestoneId: string, { sort, offset, limit, reader }: PageRange & Reader) {
  return rangeStatement(sort, limit).all(db, { milestoneId, offset, reader })
}

const rangeStatements = new Map<string, ReturnType<typeof prepareRange>>()

function rangeStatement(sort: Sort, limit: PageSize) {
  const key = `${sort} ${limit}`
  const known = rangeStatements.get(key) ?? prepareRange(sort, limit)
  rangeStatements.set(key, known)
  return known
}

/** Each page size has its own statement: for a parameter, PostgreSQL would plan to read the whole table. */
function prepareRange(sort: Sort, limit: PageSize) {
  return prepared((db, { milestoneId, offset, reader }: { milestoneId: string; offset: number } & Reader) =>
    db
      .selectFrom('entries_and_drafts as e')
      .select(columns)
      .select(details)
      .where('id', 'in', (q) =>
        q
          .selectFrom('entries_and_drafts')
          .select('id')
          .where('milestone_id', '=', milestoneId)
          .where(visibleTo(reader))
          .orderBy(order(sort))
          .limit(sql.lit(limit))
          .offset(offset),
      )
      .orderBy(order(sort)),
  )
}

/** A range of the milestone's live entries that have the tag. */
function listTagged(db: Db, milestoneId: string, tag: string, { sort, offset, limit }: PageRange) {
  return db
    .selectFrom('live_entries as e')
    .select(columns)
    .select(details)
    .where('id', 'in', (q) =>
      q
        .selectFrom('entry_tags')
        .select('entry_id')
        .where('milestone_id', '=', milestoneId)
        .where('tag', '=', tag)
        .orderBy(order(sort, { date: 'created_at', id: 'entry_id' }))
        .limit(limit)
        .offset(offset),
    )
    .orderBy(order(sort))
    .execute()
}

const searchMilestone = (db: Db, milestoneId: string, search: Search) =>
  searchEntries(db, sql<boolean>`milestone_id = ${milestoneId}`, search)

/** The statements that read pages of a milestone's entries. */
export const milestonePages = {
  findContents,
  countDrafts,
  countTagged,
  listRange,
  listTagged,
  search: searchMilestone,
}

/** The matching entries of a page among those for which `isWithin` holds, each with the total number `found`. */
export function searchEntries(
  db: Db,
  isWithin: RawBuilder<boolean>,
  { text, tag, sort, page, limit, reader }: Search,
) {
  const ordinal = sql<number>`row_number() over (order by ${order(sort)})`
  return db
    .with('matches', (q) =>
      q
        .selectFrom('entries_and_drafts')
        .select(['id', ordinal.as('ordinal'), sql<number>`count(*) over ()`.as('found')])
        .where(isWithin)
        .where(visibleTo(reader))
        .where(contains(text))
        .$if(tag !== undefined, (those) => those.where(sql<boolean>`tags @> array[${tag}]::text[]`)),
    )
    .with('shown', (q) =>
      q
        .selectFrom('matches')
        .select(['id', 'ordinal', 'found'])
        .where(sql<boolean>`ordinal > least(${page}::bigint - 1, (found - 1) / ${limit}) * ${limit}`)
        .orderBy('ordinal')
        .limit(limit),
    )
    .selectFrom('shown')
    .innerJoin('entries_and_drafts as e', 'e.id', 'shown.id')
    .select([...columns.map((name) => `e.${name}` as const), 'shown.found'])
    .select(details)
    .orderBy('shown.ordinal')
    .execute()
}

/** The left side must equal the expression of the index `entries_search`; the separator is between title and content. */
function contains(text: string) {
  const pattern = `%${text.replaceAll(/[%_\\]/g, '\\$&')}%`
  return sql<boolean>`folded(title || e'\\x1f' || content) like folded(${pattern})`
}

/**
 * Each order is that of an index of `entries` and of one of `entry_tags`, or its reverse. `entry_tags` copies the columns of the
 * orders: its `created_at` is the entry's `happened_at`. A new order needs a column and an index there too.
 */
export function order(sort: Sort, names = { date: 'happened_at', id: 'id' }) {
  const [date, key] = [sql.ref(names.date), sql.ref(names.id)]
  const orders: { [name in Sort]: RawBuilder<unknown> } = {
    newest: sql`${date} desc, ${key} desc`,
    oldest: sql`${date}, ${key}`,
    title: sql`title_key, ${date} desc, ${key} desc`,
  }
  return orders[sort]
}
