import { type Kysely, sql } from 'kysely'

/**
 * Files that texts refer to, and what uses them. A file has its row from before its bytes are written until after they
 * are gone. `unused_since` says when its last use ended: triggers keep it in the transaction of the change, cascades
 * included. Its bytes count for the project that it was uploaded to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createFiles(db)
  await createUses(db)
  await countBytes(db)
  await addCovers(db)
}

async function createFiles(db: Kysely<unknown>) {
  await sql`
    create table files (
      id uuid primary key,
      project_id uuid references projects on delete set null,
      uploader_id uuid references users on delete set null,
      name text not null check (char_length(name) between 1 and 255),
      kind text not null check (kind in ('image', 'video', 'audio', 'other')),
      type text not null,
      size bigint not null,
      bytes bigint not null,
      state text not null default 'waiting' check (state in ('waiting', 'ready', 'removing')),
      width integer,
      height integer,
      animated boolean not null default false,
      taken_at text,
      blur text check (char_length(blur) <= 500),
      widths integer[] not null default '{}',
      attempt integer not null default 0,
      unused_since timestamptz,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index files_project on files (project_id)`.execute(db)
  await sql`create index files_uploader on files (uploader_id, state)`.execute(db)
  await sql`create index files_orphaned on files (id) where project_id is null`.execute(db)
  await sql`create index files_unused on files (unused_since) where unused_since is not null`.execute(db)
}

/** A use is by an entry (its text or its cover) or by a project (its cover). */
async function createUses(db: Kysely<unknown>) {
  await sql`
    create table file_uses (
      file_id uuid not null references files on delete cascade,
      entry_id uuid references entries on delete cascade,
      project_id uuid references projects on delete cascade,
      used_as text not null check (used_as in ('text', 'cover')),
      check (num_nonnulls(entry_id, project_id) = 1)
    )`.execute(db)
  await sql`
    create unique index file_uses_once on file_uses (file_id, coalesce(entry_id, project_id), used_as)`.execute(
    db,
  )
  await sql`create index file_uses_entry on file_uses (entry_id) where entry_id is not null`.execute(db)
  await sql`create index file_uses_project on file_uses (project_id) where project_id is not null`.execute(db)

  // The rows are locked first: of two transactions that end the last two uses, the later one sees what the earlier did.
  await sql`
    create function file_uses_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        perform from files where id in (select file_id from new_rows) order by id for no key update;
        update files set unused_since = null
        where id in (select file_id from new_rows) and unused_since is not null;
      else
        perform from files where id in (select file_id from old_rows) order by id for no key update;
        update files f set unused_since = now()
        where id in (select file_id from old_rows) and unused_since is null
          and not exists (select from file_uses u where u.file_id = f.id);
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger used_insert after insert on file_uses referencing new table as new_rows
    for each statement execute function file_uses_changed()`.execute(db)
  await sql`create trigger used_delete after delete on file_uses referencing old table as old_rows
    for each statement execute function file_uses_changed()`.execute(db)
}

async function countBytes(db: Kysely<unknown>) {
  // A file that becomes ready changes what readers see; one that nobody uses changes nothing.
  await sql`
    create function files_counted() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        update projects p set file_bytes = file_bytes + d.bytes
        from (select project_id, sum(bytes) bytes from new_rows group by project_id) d
        where p.id = d.project_id;
      elsif tg_op = 'DELETE' then
        update projects p set file_bytes = file_bytes - d.bytes
        from (select project_id, sum(bytes) bytes from old_rows group by project_id) d
        where p.id = d.project_id and d.bytes <> 0;
      else
        update projects p set file_bytes = file_bytes + d.bytes
        from (select project_id, sum(bytes) bytes from (
                select project_id, bytes from new_rows
                union all
                select project_id, -bytes from old_rows) c
              group by project_id) d
        where p.id = d.project_id and d.bytes <> 0;
        update projects p set revision = revision + 1
        where id in (
          select coalesce(u.project_id, m.project_id)
          from new_rows n join old_rows o using (id) join file_uses u on u.file_id = n.id
          left join live_entries e on e.id = u.entry_id left join live_milestones m on m.id = e.milestone_id
          where n.state <> o.state);
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger counted_insert after insert on files referencing new table as new_rows
    for each statement execute function files_counted()`.execute(db)
  await sql`create trigger counted_delete after delete on files referencing old table as old_rows
    for each statement execute function files_counted()`.execute(db)
  await sql`create trigger counted_update after update on files referencing old table as old_rows new table as new_rows
    for each statement execute function files_counted()`.execute(db)

  // What entries of other projects show stays when the project that it was uploaded to goes: one of them takes it over.
  // By the time of this trigger all cascades are done, and the project of such files is null.
  await sql`
    create function files_taken_over() returns trigger language plpgsql as $$
    begin
      update files f set project_id = d.project_id
      from (select distinct on (orphan.id) orphan.id, coalesce(u.project_id, m.project_id) project_id
            from files orphan join file_uses u on u.file_id = orphan.id
            left join entries e on e.id = u.entry_id left join milestones m on m.id = e.milestone_id
            where orphan.project_id is null and orphan.unused_since is null
            order by orphan.id, coalesce(u.project_id, m.project_id)) d
      where f.id = d.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger files_taken_over after delete on projects
    for each statement execute function files_taken_over()`.execute(db)
}

/**
 * The cover of a project refers to no table: files refer to projects already, and a circle could not be restored. Its use
 * keeps the file.
 */
async function addCovers(db: Kysely<unknown>) {
  await sql`alter table entries add column cover_file_id uuid references files`.execute(db)
  await sql`create index entries_cover on entries (cover_file_id) where cover_file_id is not null`.execute(db)
  await sql`alter table projects add column cover_file_id uuid`.execute(db)
  await createViews(db)
}

/** That of the account, as long as there is one. */
const authorName = sql`coalesce((select u.name from users u where u.id = author_id), author_name)`

/** As before, each with its cover as the last column. */
async function createViews(db: Kysely<unknown>) {
  await sql`
    create or replace view live_projects as
    select id, owner_id, title, description, is_public, visibility, version, revision, changed_at, milestone_count,
      completed_milestone_count, text_bytes, file_bytes, created_at, updated_at, cover_file_id
    from projects where deleted_at is null`.execute(db)
  await sql`
    create or replace view public_projects as
    select id, owner_id, title, description, revision, milestone_count, completed_milestone_count, changed_at,
      created_at, updated_at, visibility, cover_file_id
    from projects where is_public and deleted_at is null`.execute(db)
  await sql`
    create or replace view live_entries as
    select id, milestone_id, title, content, tags, image_id, image_width, image_height, title_key, version,
      created_at, updated_at, happened_at, happened_on, happened_zone, author_id, ${authorName} as author_name, state,
      published_at, cover_file_id
    from entries where state = 'published' and deleted_at is null`.execute(db)
  await sql`
    create or replace view entries_and_drafts as
    select id, milestone_id, title, content, tags, image_id, image_width, image_height, title_key, version,
      created_at, updated_at, happened_at, happened_on, happened_zone, author_id, ${authorName} as author_name, state,
      published_at, cover_file_id
    from entries where deleted_at is null`.execute(db)
}
