import { type RawBuilder, sql } from 'kysely'
import { spellingsOf } from '#contract/search-query.ts'
import type { Db } from '#server/database/rows.ts'
import { beginningOf, ENDING_MAX } from './looser.ts'
import type { Excluded } from './query.ts'
import { isSlip } from './slips.ts'

/** Returns the people who take part in projects, and those who have written in them and left. One row of the index is read for each. */
export async function listWriters(db: Db, projectIds: string[]): Promise<{ id: string; name: string }[]> {
  const next = (project: string, after: RawBuilder<unknown>) => sql`(
    select d.author_id from search_documents d
    where d.project_id = ${sql.ref(project)} and not d.is_draft and d.author_id is not null ${after}
    order by d.author_id limit 1)`
  const { rows } = await sql<{ id: string; name: string }>`
    with recursive authors as (
      select p.id as project_id, ${next('p.id', sql``)} as id from unnest(${projectIds}::uuid[]) p (id)
      union all
      select a.project_id, ${next('a.project_id', sql`and d.author_id > a.id`)} from authors a where a.id is not null)
    select id, name from users where id in (
      select owner_id from live_projects where id = any(${projectIds}::uuid[])
      union select user_id from collaborators where project_id = any(${projectIds}::uuid[]) and status = 'accepted'
      union select id from authors)`.execute(db)
  return rows
}

export type Candidates = {
  /** Whose drafts are found, too. */
  reader: string | null
  projectIds: string[]
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

/**
 * Returns the best matches. Rights and filters are inside of each part, before every limit, so that nobody else's things change
 * what is found; the ids of the projects are one value, for which the statement is planned. What is older than the newest things is
 * only asked for while these have few matches, in titles and tags (`named`) or anywhere (`far`).
 */
export async function findCandidates(db: Db, q: Candidates): Promise<Candidate[]> {
  const seen = seenBy(q)
  const words = q.tsquery === null ? null : sql`${withoutWords(q.tsquery, q.without)}::tsquery`
  // As a condition for an index, it would read everything older there.
  const isOlder = sql`(d.happened_at <= (select min(happened_at) from own)) is true and (select count(*) from own) >= ${sql.lit(OWN_MAX)}`
  const older = (condition: RawBuilder<unknown>) => sql`
    select d.id, d.kind, d.happened_at, d.words, d.folded, true as is_named from search_documents d
    where ${condition} and ${seen} and ${isKept(q.without, 'd')} and ${isOlder}`
  const nothing = sql`select * from near where false`
  const rank =
    q.tsquery === null
      ? sql`0::real`
      : sql`ts_rank('{0.05,0.2,0.5,1}', words, ${q.tsquery}::tsquery) * (case kind when 'entry' then 1 else 1.2 end)`
  const isClose = q.close === null ? sql`true` : sql`(words @@ ${q.close}::tsquery)`
  const { rows } = await sql<Candidate>`
    with own as materialized (
      select d.id, d.happened_at from search_documents d where ${seen} order by d.happened_at desc, d.id limit ${sql.lit(OWN_MAX)}),
    near as materialized (
      select t.id, t.kind, t.happened_at, t.words, t.folded, ${words === null ? sql`false` : sql`t.heads @@ ${words}`} as is_named
      from own cross join lateral (
        select d.id, d.kind, d.happened_at, d.words, d.heads, d.folded from search_documents d where d.id = own.id offset 0) t
      where ${matchingOf(q)} and ${isKept(q.without, 't')}),
    named as (${
      words === null
        ? nothing
        : sql`${older(sql`d.heads @@ ${words} and (select count(*) from near where is_named) < ${sql.lit(ENOUGH)}`)}
          order by d.happened_at desc, d.id limit ${sql.lit(NAMED_MAX)}`
    }),
    far as (${
      words === null
        ? nothing
        : // That matches are rare is not known to the planner, which would look for the limit's number of them by date.
          sql`select * from (
            ${older(sql`d.words @@ ${words} and (select count(*) from near) < ${sql.lit(ENOUGH)}`)} offset 0) d
          order by happened_at desc, id limit ${sql.lit(RANKED_MAX)}`
    }),
    found as (
      (select * from near order by happened_at desc, id limit ${sql.lit(RANKED_MAX)})
      union all select * from named union all select * from far),
    once as (select distinct on (id) * from found order by id)
    select id, kind from once where ${containsAll(q.phrases)}
    order by (${containsAll(q.parts)})::int desc, ${isClose}::int desc, ${rank} + 0.1 / (1 + greatest(0, extract(epoch from now() - happened_at)) / 2592000) desc, happened_at desc, id
    offset ${q.offset} limit ${q.limit}`.execute(db)
  return rows
}

/** The index knows which matches are kept out, so that these need not be read. */
const withoutWords = (tsquery: string, without: Excluded): string =>
  without.tsquery === null ? tsquery : `(${tsquery}) & !(${without.tsquery})`

function seenBy(q: Candidates): RawBuilder<unknown> {
  const conditions = [
    sql`d.project_id = any(${q.projectIds}::uuid[])`,
    sql`(not d.is_draft or d.author_id = ${q.reader}::uuid)`,
    ...(q.kinds === null ? [] : [sql`d.kind = any(${q.kinds}::text[])`]),
    ...q.tags.map((tag) => sql`d.tags && ${spellingsOf(tag)}::text[]`),
    ...(q.writers === null ? [] : [sql`d.author_id = any(${q.writers}::uuid[])`]),
    ...(q.before === null ? [] : [sql`d.happened_on < ${q.before}::date`]),
    ...(q.after === null ? [] : [sql`d.happened_on >= ${q.after}::date`]),
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

function matchingOf({ tsquery, parts }: Candidates): RawBuilder<unknown> {
  const words = tsquery === null ? sql`true` : sql`t.words @@ ${tsquery}::tsquery`
  return parts.length === 0 ? words : sql`(${words} or (${containsAll(parts, 't.folded')}))`
}

/** Whether nothing in a document keeps it out. */
function isKept({ tsquery, phrases }: Excluded, table: string): RawBuilder<unknown> {
  const conditions = [
    ...(tsquery === null ? [] : [sql`not ${sql.ref(`${table}.words`)} @@ ${tsquery}::tsquery`]),
    ...phrases.map((phrase) => sql`position(${phrase} in ${sql.ref(`${table}.folded`)}) = 0`),
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

/** Whether similar words can be looked up, for which the database needs an extension. */
export async function hasTrigrams(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('search_words_trigrams') is not null as found`.execute(db)
  return rows[0]?.found ?? false
}

/** How many words with the same first letters are compared one by one. */
const NEIGHBORS_MAX = 1_000

/** Which words from this text on begin with it. */
const beginsWith = (text: string) => sql`word >= ${text} and word < ${text} || chr(1114111)`

/**
 * Returns other words for a word: `close` are those that contain it, that it is a slip of, or that have another ending; `similar` have
 * many of its letters. Words are everybody's: they are only used within a search. The extension knows only ASCII letters in some
 * locales, so words of about the same length with the same first letters are compared here.
 */
export async function findOtherWords(db: Db, word: string): Promise<{ close: string[]; similar: string[] }> {
  const part = `%${word.replaceAll(/[%_\\]/g, '\\$&')}%`
  const beginning = beginningOf(word)
  const alike = (await hasTrigrams(db))
    ? sql`union all (select word, 'similar' from search_words where word % ${word} order by similarity(word, ${word}) desc, word limit 5)`
    : sql``
  const { rows } = await sql<{ word: string; how: 'part' | 'form' | 'similar' | 'neighbor' }>`
    (select word, 'part' as how from search_words where word like ${part} order by char_length(word), word limit 50)
    union all (select word, 'form' from search_words where ${beginsWith(beginning)}
      and char_length(word) <= char_length(${beginning}) + ${sql.lit(ENDING_MAX)}
      order by abs(char_length(word) - char_length(${word})), word limit 20)
    union all (select word, 'neighbor' from search_words where ${beginsWith([...word].slice(0, 2).join(''))}
      and char_length(word) between char_length(${word}) - 1 and char_length(${word}) + 1 limit ${sql.lit(NEIGHBORS_MAX)})
    ${alike}`.execute(db)
  const slips = rows.filter((row) => isSlip(row.word, word))
  const of = (...hows: string[]) => rows.filter(({ how }) => hows.includes(how))
  const close = new Set([...slips, ...of('part'), ...of('form')].map((row) => row.word))
  return { close: [...close], similar: of('similar').flatMap((row) => (close.has(row.word) ? [] : row.word)) }
}

/** Whether anything waits to be indexed. */
export async function isWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql<{ waiting: boolean }>`
    select exists (select from search_queue) or not exists (select from search_state) as waiting`.execute(db)
  return rows[0]?.waiting ?? true
}

export type HitRow = {
  id: string
  kind: 'project' | 'milestone' | 'entry'
  title: string
  text: string
  html: string | null
  html_from: number
  project_id: string
  milestone_id: string | null
  milestone_title: string | null
  tags: string[]
  author_name: string | null
  happened_at: Date
  happened_on: string | null
  is_draft: boolean
}

/** How much HTML of an entry is read for its snippet, and how much of it before the first match. */
const HTML_READ = 16_000
const HTML_BEFORE = 2_000

/** Returns the matches as they are shown, read from what is live and visible to the reader now. */
export async function readHits(
  db: Db,
  { ids, reader, around }: { ids: string[]; reader: string | null; around: string },
): Promise<Map<string, HitRow>> {
  const from = sql`greatest(1, strpos(lower(r.html), ${around}) - ${sql.lit(HTML_BEFORE)})`
  const { rows } = await sql<HitRow>`
    select p.id, 'project' as kind, p.title, p.description as text, null as html, 1 as html_from, p.id as project_id,
      null::uuid as milestone_id, null as milestone_title, '{}'::text[] as tags, null as author_name,
      p.created_at as happened_at, null::text as happened_on, false as is_draft
    from live_projects p where p.id = any(${ids}::uuid[])
    union all
    select m.id, 'milestone', m.title, m.description, null, 1, m.project_id, null, null, '{}', null, m.created_at, null, false
    from live_milestones m where m.id = any(${ids}::uuid[])
    union all
    select e.id, 'entry', e.title, left(e.content, 2000), substr(r.html, ${from}, ${sql.lit(HTML_READ)}), ${from},
      m.project_id, m.id, m.title, e.tags, e.author_name, e.happened_at, e.happened_on::text, e.state = 'draft'
    from entries_and_drafts e
    join live_milestones m on m.id = e.milestone_id
    left join entry_renderings r on r.entry_id = e.id and r.entry_version = e.version
    where e.id = any(${ids}::uuid[]) and (e.state = 'published' or e.author_id = ${reader}::uuid)`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
