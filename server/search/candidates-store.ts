import { type RawBuilder, sql } from 'kysely'
import { spellingsOf } from '#contract/search-query.ts'
import type { Db } from '#server/database/rows.ts'
import type { Excluded } from './query.ts'

export type Candidates = {
  /** Whose drafts are found, too. */
  reader: string | null
  projectIds: string[]
  /** How many things everybody has, if nearly all that are newer than one of the reader's are theirs too; else null. */
  ofMost: number | null
  /** The literal of a tsquery; null: everything that the filters leave. */
  tsquery: string | null
  /** The literal of a narrower tsquery; what it matches comes before the rest. */
  close: string | null
  /** Texts that candidates contain, folded. */
  phrases: string[]
  /** Texts that also find a thing among the newest, if it contains all of them: parts of words. What contains them comes first. */
  parts: string[]
  /** Null: all. */
  kinds: string[] | null
  tags: string[]
  writers: string[] | null
  before: string | null
  after: string | null
  has: string[]
  isDraft: boolean | null
  without: Excluded & { tags: string[]; writers: string[]; has: string[] }
  offset: number
  limit: number
}

export type Candidate = { id: string; kind: string }

/** The newest things of a person that are looked at one by one; only if they are not enough, an index over everybody's is asked. */
const OWN_MAX = 1_000
const RANKED_MAX = 300
const NAMED_MAX = 100
const ENOUGH = 40
/** How many matches are read from the index of somebody who sees most things, and how many of these are looked at instead. */
const READ_MAX = 2_500
const NEXT_MAX = 5_000

/**
 * Returns the best matches. Rights and filters are inside of each part, before every limit, so that nobody else's things change
 * what is found; the ids of the projects are one value, for which the statement is planned. What is older than the newest things is
 * only asked for while these have few matches: in titles and tags (`named`) or anywhere (`far`). Somebody who sees most things walks on by
 * date (`next`), where many things have the words.
 */
export async function findCandidates(db: Db, q: Candidates): Promise<Candidate[]> {
  const words = q.tsquery === null ? null : sql`${withoutWords(q.tsquery, q.without)}::tsquery`
  const columns = sql`d.id, d.kind, d.happened_at, d.words, d.folded`
  const isNamed = words === null ? sql`false` : sql`d.heads @@ ${words}`
  const few = sql`(select count(*) from looked) < ${sql.lit(ENOUGH)}`
  const older = (condition: RawBuilder<unknown>) => sql`
    from search_documents d where ${condition} and ${seenBy(q)} and ${isKept(q.without)} and ${isOlder}`
  const nothing = sql`select * from looked where false`
  const rank =
    q.tsquery === null
      ? sql`0::real`
      : sql`ts_rank('{0.05,0.2,0.5,1}', words, ${q.tsquery}::tsquery) * (case kind when 'entry' then 1 else 1.2 end)`
  const isClose = q.close === null ? sql`true` : sql`(words @@ ${q.close}::tsquery)`
  const { rows } = await sql<Candidate>`
    with own as materialized (
      select d.id, d.happened_at from search_documents d where ${seenBy(q, { isByIndex: true })} order by d.happened_at desc, d.id limit ${sql.lit(OWN_MAX)}),
    near as materialized (
      select ${columns}, ${isNamed} as is_named, ${isMatch(q)} as is_match
      from own cross join lateral (
        select ${columns}, d.heads from search_documents d where d.id = own.id offset 0) d
      where ${matchingOf({ ...q, tsquery: inAnyOrder(q.tsquery) })} and ${isKept(q.without)}),
    looked as materialized (
      select ${columns}, is_named from near d where is_match
      ${q.ofMost === null || words === null ? sql`` : sql`union all ${nextOf(q, sql`select ${columns}, ${isNamed} as is_named`)}`}),
    named as (${
      words === null
        ? nothing
        : sql`select ${columns}, true as is_named
          ${older(sql`d.heads @@ ${words} and (select count(*) from looked where is_named) < ${sql.lit(ENOUGH)}`)}
          order by d.happened_at desc, d.id limit ${sql.lit(NAMED_MAX)}`
    }),
    far as (${
      words === null
        ? nothing
        : // That matches are rare is not known to the planner, which would look for the limit's number of them by date.
          sql`select ${columns}, true as is_named from (
            select id from (
              select d.id, d.happened_at ${older(sql`d.words @@ ${words} and ${few} and not ${areMany(q)}`)} offset 0) d
            order by happened_at desc, id limit ${sql.lit(RANKED_MAX)}) newest
          cross join lateral (select ${columns} from search_documents d where d.id = newest.id offset 0) d`
    }),
    found as (
      (select * from looked order by happened_at desc, id limit ${sql.lit(RANKED_MAX)})
      union all select * from named union all select * from far),
    once as (select distinct on (id) * from found order by id)
    select id, kind from once where ${containsAll(q.phrases)}
    order by (${containsAll(q.parts)})::int desc, ${isClose}::int desc, ${rank} + 0.1 / (1 + greatest(0, extract(epoch from now() - happened_at)) / 2592000) desc, happened_at desc, id
    offset ${q.offset} limit ${q.limit}`.execute(db)
  return rows
}

/** As a condition for an index, it would read everything older there. */
const isOlder = sql`(d.happened_at <= (select min(happened_at) from own)) is true and (select count(*) from own) >= ${sql.lit(OWN_MAX)}`

/** Returns a tsquery for its words in any order. */
const inAnyOrder = (tsquery: string | null) => tsquery?.replaceAll(' <-> ', ' & ') ?? null

/** Whether what has the words of a query has them in their order. */
const isMatch = (q: Candidates) => (q.tsquery === inAnyOrder(q.tsquery) ? sql`true` : matchingOf(q))

/**
 * Whether so many things have the words, if older ones have them as often as the newest, that reading them from the index costs more
 * than looking at thousands of things by date. It does not know the order of words, so it gives all that have those of a phrase.
 */
const areMany = ({ ofMost }: Candidates) =>
  ofMost === null
    ? sql`false`
    : sql`(select count(*) from near) > ${sql.lit(Math.ceil((READ_MAX * OWN_MAX) / ofMost))}`

/** The things after the newest, by date. */
const nextOf = (q: Candidates, selected: RawBuilder<unknown>) => sql`
  ${selected} from (
    select d.* from search_documents d
    where ${seenBy(q)} and ${areMany(q)} and (select count(*) from near where is_match) < ${sql.lit(ENOUGH)}
    order by d.happened_at desc, d.id offset ${sql.lit(OWN_MAX)} limit ${sql.lit(NEXT_MAX)}) d
  where d.words @@ ${q.tsquery}::tsquery and ${isKept(q.without)}`

/** The index knows which matches are kept out, so that these need not be read. */
const withoutWords = (tsquery: string, without: Excluded): string =>
  without.tsquery === null ? tsquery : `(${tsquery}) & !(${without.tsquery})`

function seenBy(q: Candidates, { isByIndex } = { isByIndex: q.ofMost === null }): RawBuilder<unknown> {
  const ofProjects = sql`d.project_id = any(${`{${q.projectIds.join()}}`}::uuid[])`
  const conditions = [
    // An index would give nearly everything.
    isByIndex ? ofProjects : sql`(${ofProjects}) is true`,
    q.isDraft === true
      ? sql`d.author_id = ${q.reader}::uuid`
      : sql`(not d.is_draft or d.author_id = ${q.reader}::uuid)`,
    ...(q.kinds === null ? [] : [sql`d.kind = any(${q.kinds}::text[])`]),
    ...q.tags.map((tag) => sql`d.tags && ${spellingsOf(tag)}::text[]`),
    ...(q.writers === null ? [] : [sql`d.author_id = any(${q.writers}::uuid[])`]),
    ...(q.before === null
      ? []
      : [sql`d.happened_on < ${q.before}::date and d.happened_at < ${midnight(q.before, 1)}`]),
    ...(q.after === null
      ? []
      : [sql`d.happened_on >= ${q.after}::date and d.happened_at > ${midnight(q.after, -1)}`]),
    ...(q.has.length === 0 ? [] : [sql`d.has @> ${q.has}::text[]`]),
    ...(q.isDraft === null ? [] : [sql`d.is_draft = ${q.isDraft}`]),
    ...(q.without.tags.length === 0
      ? []
      : [sql`not d.tags && ${q.without.tags.flatMap(spellingsOf)}::text[]`]),
    ...(q.without.has.length === 0 ? [] : [sql`not d.has && ${q.without.has}::text[]`]),
    ...(q.without.writers.length === 0
      ? []
      : [sql`coalesce(d.author_id <> all(${q.without.writers}::uuid[]), true)`]),
  ]
  return sql.join(conditions, sql` and `)
}

/** A bound for an index: an instant is less than a day from its day, whatever the zone. */
const midnight = (day: string, days: number) =>
  sql`(${day}::date::timestamp at time zone 'UTC' + ${sql.lit(days)} * interval '1 day')`

function matchingOf({ tsquery, parts }: Candidates): RawBuilder<unknown> {
  const words = tsquery === null ? sql`true` : sql`d.words @@ ${tsquery}::tsquery`
  return parts.length === 0 ? words : sql`(${words} or (${containsAll(parts, 'd.folded')}))`
}

/** Whether nothing in a document keeps it out. */
function isKept({ tsquery, phrases }: Excluded): RawBuilder<unknown> {
  const conditions = [
    ...(tsquery === null ? [] : [sql`not d.words @@ ${tsquery}::tsquery`]),
    ...phrases.map((phrase) => sql`position(${phrase} in d.folded) = 0`),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

function containsAll(texts: string[], column = 'folded'): RawBuilder<unknown> {
  if (texts.length === 0) return sql`true`
  return sql.join(
    texts.map((text) => sql`position(${text} in ${sql.ref(column)}) > 0`),
    sql` and `,
  )
}
