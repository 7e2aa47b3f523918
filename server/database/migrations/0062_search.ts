import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * The index of the search over everything: one row for each live project, milestone and entry. Its tables are derived from others
 * and unlogged, which spares every save the log; after a crash they are empty, and filled again in the background. Triggers remove
 * what is deleted at once, and queue what changed, which the transaction of the change or a job then indexes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table search_documents (
      id uuid primary key,
      kind text not null check (kind in ('project', 'milestone', 'entry')),
      project_id uuid not null references projects on delete cascade,
      milestone_id uuid,
      author_id uuid references users on delete set null,
      is_draft boolean not null,
      happened_at timestamptz not null,
      happened_on date not null,
      tags text[] not null,
      has text[] not null,
      folded text not null,
      words tsvector not null,
      heads tsvector not null,
      indexed_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`create index search_documents_words on search_documents using gin (words)`.execute(db)
  await sql`create index search_documents_heads on search_documents using gin (heads)`.execute(db)
  await sql`create index search_documents_newest on search_documents (project_id, happened_at desc, id)`.execute(
    db,
  )
  await sql`create index search_documents_author on search_documents (author_id)`.execute(db)
  await sql`create index search_documents_indexed on search_documents (indexed_at)`.execute(db)
  await sql`
    create unlogged table search_queue (
      id uuid not null,
      kind text not null,
      project_id uuid not null references projects on delete cascade,
      transaction xid8 not null default pg_current_xact_id()
    )`.execute(db)
  await sql`create index search_queue_transaction on search_queue (transaction)`.execute(db)
  await sql`create index search_queue_project on search_queue (project_id)`.execute(db)
  await sql`create unlogged table search_words (word text collate "C" primary key)`.execute(db)
  await sql`
    create unlogged table search_state (
      only_row boolean primary key default true check (only_row),
      folding integer not null,
      words_until timestamptz not null
    )`.execute(db)
  await indexWords(db)
  await createTriggers(db)
}

/** Without the extension, parts of words are found by scanning the words, and misspelled ones are not found. */
async function indexWords(db: Kysely<unknown>) {
  await sql`
    do $$
    begin
      create extension if not exists pg_trgm;
      create index search_words_trigrams on search_words using gin (word gin_trgm_ops);
    exception when insufficient_privilege or undefined_object or undefined_file or feature_not_supported then
      raise notice 'misspelled words are not found: %', sqlerrm;
    end $$`.execute(db)
}

type Indexed = {
  kind: 'project' | 'milestone' | 'entry'
  table: 'projects' | 'milestones' | 'entries'
  /** The columns of which a change is indexed. */
  columns: string[]
  /** The project of a new row `n`, and what it is joined with. */
  project: RawBuilder<unknown>
  join?: RawBuilder<unknown>
}

const INDEXED: Indexed[] = [
  {
    kind: 'project',
    table: 'projects',
    columns: ['title', 'description', 'deleted_at'],
    project: sql`n.id`,
  },
  {
    kind: 'milestone',
    table: 'milestones',
    columns: ['project_id', 'title', 'description', 'deleted_at'],
    project: sql`n.project_id`,
  },
  {
    kind: 'entry',
    table: 'entries',
    columns: [
      'milestone_id',
      'title',
      'content',
      'tags',
      'state',
      'happened_at',
      'happened_on',
      'author_id',
      'cover_file_id',
      'deleted_at',
    ],
    project: sql`m.project_id`,
    join: sql`join milestones m on m.id = n.milestone_id`,
  },
]

async function createTriggers(db: Kysely<unknown>) {
  for (const { kind, table, columns, project, join = sql`` } of INDEXED) {
    const name = sql.ref(`${table}_searched`)
    const of = (row: string) => sql.join(columns.map((column) => sql.ref(`${row}.${column}`)))
    const queue = sql`insert into search_queue (id, kind, project_id) select n.id, ${sql.lit(kind)}, ${project} from new_rows n ${join}`
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          ${queue} where n.deleted_at is null;
        elsif tg_op = 'DELETE' then
          delete from search_documents d using old_rows o where d.id = o.id;
        else
          delete from search_documents d using new_rows n where d.id = n.id and n.deleted_at is not null;
          ${queue} join old_rows o on o.id = n.id
            where n.deleted_at is null and (${of('n')}) is distinct from (${of('o')});
        end if;
        return null;
      end $$`.execute(db)
    for (const [event, tables] of [
      ['insert', 'new table as new_rows'],
      ['update', 'old table as old_rows new table as new_rows'],
      ['delete', 'old table as old_rows'],
    ] as const)
      await sql`
        create trigger ${sql.ref(`searched_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
        referencing ${sql.raw(tables)} for each statement execute function ${name}()`.execute(db)
  }
}
