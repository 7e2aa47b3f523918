import { type RawBuilder, sql } from 'kysely'
import type { EntryQuery } from '#contract/entries.ts'
import { containing } from '#server/database/containing.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'
import { type ProjectAccess, selectAccess } from '#server/permissions/access.ts'
import { columns, details, type EntryRecord, visibleTo } from './store.ts'

type Sort = EntryQuery['sort']
type PageSize = EntryQuery['limit']

/** What a page shows: entries of this milestone or project, of all that the reader (null: a visitor) sees or with one tag. */
export type PageValues = { id: string; reader: string | null; tag: string; page: number }

/** The first `limit` ids after `offset`, in the order of `sort`. */
type Range = { sort: Sort; limit: PageSize; offset: RawBuilder<number> }

/** The parts of the statements about the entries of a milestone, or of a project. */
export type Container = {
  ref: (v: PageValues) => { milestoneId: string } | { projectId: string }
  /** The number of live entries, with and without the tag, and of the reader's unpublished ones. */
  total: (v: PageValues) => RawBuilder<number>
  tagged: (v: PageValues) => RawBuilder<number>
  unpublished: (v: PageValues) => RawBuilder<number>
  /** The distinct tags in alphabetical order. */
  tags: (v: PageValues) => RawBuilder<string[]>
  /** The ids of a range; the entries before it are skipped in the index. */
  ids: (v: PageValues, range: Range) => RawBuilder<unknown>
  taggedIds: (v: PageValues, range: Range) => RawBuilder<unknown>
  isWithin: (v: Pick<PageValues, 'id'>) => RawBuilder<boolean>
}

/** The reader's access, the number of entries that they see, and all tags. */
export type PageHead = ProjectAccess & { total: number; found: number; tags: string[] }

type HeadRow = ProjectAccess & { total: number | null; found: number | null; usedTags: string[] | null }

/**
 * Reads a page in one statement, and therefore from one snapshot, for a reader who may view the project; without entries for
 * others. Undefined if the project does not exist. A page beyond the last is the last.
 */
export async function readPage(
  db: Db,
  container: Container,
  { sort, limit, ...values }: PageValues & { sort: Sort; limit: PageSize },
): Promise<{ head: PageHead; rows: EntryRecord[] } | undefined> {
  const rows = await statementFor(container, sort, limit, values.tag !== '').all(db, values)
  const [first] = rows
  if (!first) return undefined
  const head = { ...headOf(first), tags: rows.find(({ usedTags }) => usedTags !== null)?.usedTags ?? [] }
  return { head, rows: rows.filter((row): row is HeadRow & EntryRecord => row.id !== null) }
}

/** Reads the head of a page without its entries. */
export async function readHead(
  db: Db,
  container: Container,
  values: PageValues,
): Promise<PageHead | undefined> {
  const row = await headFor(container).first(db, values)
  return row && headOf(row)
}

const headOf = (row: HeadRow): PageHead => {
  const { projectId, role, isPublic, bytes, total, found, usedTags } = row
  return { projectId, role, isPublic, bytes, total: total ?? 0, found: found ?? 0, tags: usedTags ?? [] }
}

type PageRow = HeadRow & (EntryRecord | { id: null })

const statements = new Map<Container, Map<string, ReturnType<typeof preparePage>>>()

/** Each page size has its own statement: for a parameter, PostgreSQL would plan to read the whole table. */
function statementFor(container: Container, sort: Sort, limit: PageSize, isTagged: boolean) {
  const known = statements.get(container) ?? new Map<string, ReturnType<typeof preparePage>>()
  statements.set(container, known)
  const key = `${sort} ${limit} ${isTagged}`
  const statement = known.get(key) ?? preparePage(container, sort, limit, isTagged)
  known.set(key, statement)
  return statement
}

function preparePage(container: Container, sort: Sort, limit: PageSize, isTagged: boolean) {
  const size = sql.lit(limit)
  return prepared<PageValues, PageRow>((db, v) => {
    const offset = sql<number>`(select least(${v.page}::bigint - 1, greatest(found - 1, 0) / ${size}) * ${size} from contents)`
    const range = { sort, limit, offset }
    return db
      .with('access', () => selectAccess(db, v.reader, container.ref(v)))
      .with('contents', () => part(contents(container, v, isTagged)))
      .with('ids', () => part(isTagged ? container.taggedIds(v, range) : container.ids(v, range)))
      .selectFrom('access')
      .leftJoin(sql<Contents>`contents`.as('contents'), (join) => join.onTrue())
      .leftJoinLateral(
        (q) =>
          q
            .selectFrom('entries_and_drafts as e')
            .select(columns)
            .select('title_key')
            .select(details)
            .where('id', 'in', sql<string>`(select id from ids)`)
            .where(sql<boolean>`exists (select from contents)`)
            .as('shown'),
        (join) => join.onTrue(),
      )
      .select(
        [...columns, 'rendering', 'cover', 'author_picture', 'schedule'].map(
          (name) => `shown.${name}` as 'shown.id',
        ),
      )
      .select(headColumns)
      .select(sql<string[] | null>`case when row_number() over () = 1 then "usedTags" end`.as('usedTags'))
      .orderBy(order(sort, { date: 'happened_at', id: 'id' }))
  })
}

/** kysely adds no parentheses to raw SQL. */
const part = (select: RawBuilder<unknown>) => sql<never>`(${select})`

type Contents = Pick<HeadRow, 'total' | 'found'> & { usedTags: string[] }

const headColumns = [
  'access.projectId',
  'role',
  'isPublic',
  'bytes',
  'contents.total',
  'contents.found',
] as const

/** The part that counts, for those who may view the project. Tags count published ones only. */
const contents = (container: Container, v: PageValues, isTagged: boolean) => sql`
  select total, ${isTagged ? container.tagged(v) : sql`total`} found, ${container.tags(v)} "usedTags"
  from (select ${container.total(v)} + ${container.unpublished(v)} total) counted
  where exists (select from access where "isPublic" or role is not null)`

const heads = new Map<Container, ReturnType<typeof prepareHead>>()

function headFor(container: Container) {
  const known = heads.get(container) ?? prepareHead(container)
  heads.set(container, known)
  return known
}

const prepareHead = (container: Container) =>
  prepared<PageValues, HeadRow>((db, v) =>
    db
      .with('access', () => selectAccess(db, v.reader, container.ref(v)))
      .with('contents', () => part(contents(container, v, false)))
      .selectFrom('access')
      .leftJoin(sql<Contents>`contents`.as('contents'), (join) => join.onTrue())
      .select(headColumns)
      .select('contents.usedTags'),
  )

/** The parts of the statements about a milestone. */
export const ofMilestone: Container = {
  ref: ({ id }) => ({ milestoneId: id }),
  total: ({ id }) => sql`coalesce((select entry_count from live_milestones where id = ${id}), 0)`,
  tagged: ({ id, tag }) =>
    sql`coalesce((select entry_count from milestone_tags where milestone_id = ${id} and tag = ${tag}), 0)`,
  unpublished: ({ id, reader }) => sql`(
    select count(*) from entries_and_drafts
    where milestone_id = ${id} and author_id = ${reader}::uuid and state = 'draft')`,
  tags: ({ id }) =>
    sql`array(select tag from milestone_tags where milestone_id = ${id} order by sort_key(tag), tag)`,
  ids: ({ id, reader }, { sort, limit, offset }) => sql`
    select id from entries_and_drafts where milestone_id = ${id} and ${visibleTo(reader)}
    order by ${order(sort)} limit ${sql.lit(limit)} offset ${offset}`,
  taggedIds: ({ id, tag }, { sort, limit, offset }) => sql`
    select entry_id id from entry_tags where milestone_id = ${id} and tag = ${tag}
    order by ${order(sort, { date: 'created_at', id: 'entry_id' })} limit ${sql.lit(limit)} offset ${offset}`,
  isWithin: ({ id }) => sql`milestone_id = ${id}`,
}

/** A page of the entries that contain the text, among all that the reader sees or those with one tag. */
export type Search = {
  text: string
  tag: string | undefined
  sort: Sort
  page: number
  limit: number
  reader: string | null
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
  return sql<boolean>`searchable(title || e'\\x1f' || content) like ${containing(text)}`
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
