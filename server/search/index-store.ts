import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** A thing that is indexed: the columns of its document that are copied, and its texts. */
export type IndexSource = {
  id: string
  kind: string
  project_id: string
  milestone_id: string | null
  author_id: string | null
  is_draft: boolean
  happened_at: Date
  /** The author's day. */
  happened_on: string
  has: string[]
  title: string
  tags: string[]
  /** The text without its rendering. */
  text: string
  html: string | null
  files: string[]
}

/** Returns a project of which something waits to be indexed. */
export async function findWaitingProject(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ project_id: string }>`select project_id from search_queue limit 1`.execute(db)
  return rows[0]?.project_id
}

/** How many things are in memory at a time. The HTML of an entry may have a megabyte. */
export const TAKEN_AT_ONCE = 20

type TakenRow = { taken: number } & (IndexSource | { id: null })

const idsOf = (kind: string) => sql`any(array(select id from things where kind = ${sql.lit(kind)}))`

function taking(queued: RawBuilder<unknown>) {
  return sql<TakenRow>`
    with things as (
      delete from search_queue where ctid = any(array(select ctid from search_queue where ${queued} limit ${sql.lit(TAKEN_AT_ONCE)}))
      returning id, kind)
    select taken.taken, source.* from (select count(*)::integer as taken from things) taken left join (
    select p.id, 'project' as kind, p.id as project_id, null::uuid as milestone_id, null::uuid as author_id,
      false as is_draft, p.created_at as happened_at,
      (p.created_at at time zone 'UTC')::date::text as happened_on, '{}'::text[] as has, p.title, '{}'::text[] as tags,
      p.description as text, null::text as html, '{}'::text[] as files
    from live_projects p where p.id = ${idsOf('project')}
    union all
    select m.id, 'milestone', m.project_id, m.id, null, false, m.created_at, (m.created_at at time zone 'UTC')::date::text, '{}', m.title, '{}', m.description, null, '{}'
    from live_milestones m where m.id = ${idsOf('milestone')}
    union all
    select e.id, 'entry', m.project_id, e.milestone_id, e.author_id, e.state = 'draft', e.happened_at, e.happened_on::text,
      array_remove(array[case when f.pictures then 'picture' end,
        case when f.others then 'file' end], null),
      e.title, e.tags, e.content, r.html, coalesce(f.names, '{}')
    from entries_and_drafts e
    join live_milestones m on m.id = e.milestone_id
    left join entry_renderings r on r.entry_id = e.id and r.entry_version = e.version
    cross join lateral (
      select array_agg(f.name order by f.name) as names, bool_or(f.kind = 'image') as pictures,
        bool_or(f.kind <> 'image') as others
      from file_uses u join files f on f.id = u.file_id where u.entry_id = e.id) f
    where e.id = ${idsOf('entry')}) source on true`
}

/** What was removed from the queue: the number of its rows, and what is indexed of the live things among them. */
export type Taken = { taken: number; sources: IndexSource[] }

function takenOf(rows: TakenRow[]): Taken {
  const sources = rows.flatMap(({ taken: _taken, ...source }) => (source.id === null ? [] : source))
  return { taken: rows[0]?.taken ?? 0, sources }
}

const ofTransaction = sql`transaction = pg_current_xact_id()`
const changed = prepared(() => taking(ofTransaction))
const waiting = prepared((_db, { projectId }: { projectId: string }) =>
  taking(sql`project_id = ${projectId}`),
)

/** Takes at most `TAKEN_AT_ONCE` things that this transaction has changed from the queue. */
export const takeChanged = async (trx: Transaction<Schema>) => takenOf(await changed.all(trx, {}))

/** Takes at most `TAKEN_AT_ONCE` things of a project from the queue. */
export const takeWaiting = async (trx: Transaction<Schema>, projectId: string) =>
  takenOf(await waiting.all(trx, { projectId }))

export type SearchDocument = Omit<IndexSource, 'title' | 'text' | 'html' | 'files'> & {
  folded: string
  words: string
}

/** Stores documents. One that has not changed is not written again. */
export async function saveDocuments(trx: Transaction<Schema>, documents: SearchDocument[]): Promise<void> {
  await documentsSaved.all(trx, { documents: JSON.stringify(documents) })
}

/**
 * Returns a function like `saveDocuments` that also removes them from what this transaction has queued, in the same round trip. `row` is what
 * `after` selects then, and `isMore` whether other things of the transaction wait.
 */
export function savingWith<Values extends object, Row>(after: (values: Values) => RawBuilder<Row>) {
  const saved = prepared(
    (_db, values: Values & { documents: string; ids: string[] }) => sql<{
      row: Row | null
      isMore: boolean
    }>`
      with taken as (delete from search_queue where ${ofTransaction} and id = any(${values.ids}::uuid[])),
      saved as (${saving(values.documents)} returning 1)
      select (select to_json(r) from (${after(values)}) r) as row,
        exists (select from search_queue where ${ofTransaction} and id <> all(${values.ids}::uuid[])) as "isMore"
      from (select count(*) from saved) s`,
  )
  return async (trx: Transaction<Schema>, documents: SearchDocument[], values: Values) => {
    const ids = documents.map(({ id }) => id)
    const first = await saved.first(trx, { ...values, ids, documents: JSON.stringify(documents) })
    return { row: first?.row ?? undefined, isMore: first?.isMore ?? false }
  }
}

const saving = (documents: string) => sql`
  insert into search_documents
    (id, kind, project_id, milestone_id, author_id, is_draft, happened_at, happened_on, tags, has, folded, words, heads)
  select id, kind, project_id, milestone_id, author_id, is_draft, happened_at, happened_on, tags, has, folded, vector,
    ts_filter(vector, '{a,b}')
  from (
    select d.*, d.words::tsvector as vector from jsonb_to_recordset(${documents}::jsonb) as d (
      id uuid, kind text, project_id uuid, milestone_id uuid, author_id uuid, is_draft boolean,
      happened_at timestamptz, happened_on date, tags text[], has text[], folded text, words text)
    offset 0) documents
  on conflict (id) do update set project_id = excluded.project_id, milestone_id = excluded.milestone_id,
    author_id = excluded.author_id, is_draft = excluded.is_draft, happened_at = excluded.happened_at,
    happened_on = excluded.happened_on, tags = excluded.tags, has = excluded.has, folded = excluded.folded, words = excluded.words,
    heads = excluded.heads, indexed_at = clock_timestamp()
  where (search_documents.project_id, search_documents.milestone_id, search_documents.author_id,
      search_documents.is_draft, search_documents.happened_at, search_documents.happened_on, search_documents.tags, search_documents.has,
      search_documents.folded, search_documents.words)
    is distinct from (excluded.project_id, excluded.milestone_id, excluded.author_id, excluded.is_draft,
      excluded.happened_at, excluded.happened_on, excluded.tags, excluded.has, excluded.folded, excluded.words)`

const documentsSaved = prepared((_db, { documents }: { documents: string }) => saving(documents))

/** Whether the index was filled with these rules, or by a newer server beside this one; not after a crash, which empties it. */
export async function isFilled(db: Db, folding: number): Promise<boolean> {
  const { rows } = await sql<{ folding: number }>`select folding from search_state`.execute(db)
  return (rows[0]?.folding ?? 0) >= folding
}

/** Queues everything to be indexed, unless another process just did. */
export async function queueEverything(db: Kysely<Schema>, folding: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = '20min'`.execute(trx)
    await sql`lock table search_state in exclusive mode`.execute(trx)
    if (await isFilled(trx, folding)) return
    await sql`delete from search_queue`.execute(trx)
    await sql`
      insert into search_queue (id, kind, project_id)
      select id, 'project', id from live_projects
      union all select id, 'milestone', project_id from live_milestones
      union all select e.id, 'entry', m.project_id from entries_and_drafts e join live_milestones m on m.id = e.milestone_id`.execute(
      trx,
    )
    await sql`
      insert into search_state (folding, words_until) values (${folding}, '-infinity')
      on conflict (only_row) do update set folding = excluded.folding`.execute(trx)
  })
}

const WORD_BATCH = 1_000

/** Adds the words of documents that were indexed since the last time; returns whether there are more. */
export async function addWords(trx: Transaction<Schema>): Promise<boolean> {
  // A transaction that ends now may have indexed some seconds ago.
  const { rows } = await sql<{ count: number }>`
    with since as (select words_until from search_state for update skip locked),
    newer as (
      select d.words, d.indexed_at from search_documents d, since
      where d.indexed_at > since.words_until order by d.indexed_at limit ${sql.lit(WORD_BATCH)}),
    total as (select count(*)::integer as count, max(indexed_at) as latest from newer),
    added as (
      insert into search_words (word)
      select distinct lexeme from newer, unnest(newer.words) where char_length(lexeme) between 3 and 60
      order by 1 on conflict do nothing),
    marked as (
      update search_state set words_until = case when total.count = ${sql.lit(WORD_BATCH)} then total.latest
        else least(total.latest, clock_timestamp() - interval '10 seconds') end
      from total where total.count > 0)
    select count from total`.execute(trx)
  return rows[0]?.count === WORD_BATCH
}

/** Deletes words after this one that no document has, in a batch; returns the last word of the batch. */
export async function deleteUnusedWords(
  trx: Transaction<Schema>,
  after: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ word: string }>`
    with batch as (select word from search_words where word > ${after} order by word limit ${sql.lit(WORD_BATCH)}),
    deleted as (
      delete from search_words w using batch b where w.word = b.word and not exists (
        select from search_documents d
        where d.words @@ ('''' || replace(replace(b.word, '\\', '\\\\'), '''', '''''') || '''')::tsquery))
    select max(word) as word from batch`.execute(trx)
  return rows[0]?.word ?? undefined
}

/** Moves entries that wait in the list of an index into the index, so that no single save has to. */
export async function mergePending(db: Db): Promise<void> {
  // Where the extensions of `entries_search` are missing, so is the index.
  for (const index of ['search_documents_words', 'search_documents_heads', 'entries_search'])
    await sql`select gin_clean_pending_list(to_regclass(${index}))`.execute(db)
}
