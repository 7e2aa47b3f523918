import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'
import { beginningOf, ENDING_MAX } from './looser.ts'
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

/**
 * How many documents there are, and how many projects they are of, as the last `analyze` has found. `isWaiting`: whether anything waits
 * to be indexed.
 */
export type IndexState = { documents: number; projects: number; isWaiting: boolean }

export async function readIndexState(db: Db): Promise<IndexState> {
  const { rows } = await sql<IndexState>`
    select d.reltuples as documents, p.reltuples as projects,
      exists (select from search_queue) or not exists (select from search_state) as "isWaiting"
    from pg_class d, pg_class p where d.oid = 'search_documents'::regclass and p.oid = 'projects'::regclass`.execute(
    db,
  )
  return rows[0] ?? { documents: 0, projects: 0, isWaiting: true }
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
