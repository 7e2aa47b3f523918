import { type Kysely, sql } from 'kysely'

/**
 * Archives that people bring, and what each of them became. An import outlives the account of its person only until its archive was
 * removed from the file store. `lease_until`: until then a process works on it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imports (
      id uuid primary key,
      user_id uuid references users on delete set null,
      name text not null,
      fingerprint text not null,
      size bigint not null,
      received bigint not null default 0,
      parts integer not null default 0,
      source text,
      state text not null check (state in
        ('uploading', 'inspecting', 'planned', 'running', 'paused', 'done', 'undoing', 'undone', 'failed')),
      problem text,
      plan jsonb,
      choices jsonb,
      report jsonb,
      done integer not null default 0,
      lease_until timestamptz,
      undo_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index imports_of_user on imports (user_id, created_at)`.execute(db)
  await sql`create index imports_at_work on imports (updated_at) where state in ('inspecting', 'running', 'undoing')`.execute(
    db,
  )
  await sql`
    create table import_items (
      import_id uuid not null references imports on delete cascade,
      ref uuid not null,
      source_id text not null,
      kind text not null check (kind in ('project', 'milestone', 'file', 'entry')),
      target_id uuid not null,
      primary key (import_id, ref)
    )`.execute(db)
  await sql`create index import_items_by_source on import_items (source_id)`.execute(db)
}
