import { type Kysely, sql } from 'kysely'

/**
 * The history of entries, what people are writing and have not saved, and the files that both use. An entry of before has
 * no revision until its next save: nothing here passes over a large table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createRevisions(db)
  await createDrafts(db)
  await extendUses(db)
  await countHistory(db)
  await deleteWithAuthors(db)
}

/**
 * Each save that changes the text of an entry makes a revision, under the version that the entry has from then on; one that
 * only moves it makes the revision last for another version. A revision that its author followed up within minutes is
 * superseded: no list shows it, and it stays for a while as the base of merges. `kept` says how far the revision was
 * thinned out: not yet, as the last of its day, as the last of its week.
 */
async function createRevisions(db: Kysely<unknown>) {
  await sql`
    create table entry_revisions (
      id uuid primary key,
      entry_id uuid not null references entries on delete cascade,
      first_version integer not null,
      version integer not null,
      title text not null,
      content text not null,
      tags text[] not null,
      happened_at timestamptz not null,
      happened_on date not null,
      happened_zone text not null,
      cover_file_id uuid,
      state text not null check (state in ('draft', 'published')),
      word_count integer,
      author_ids uuid[] not null,
      author_names text[] not null,
      name text check (char_length(name) between 1 and 100),
      cause text not null check (cause in ('save', 'restore', 'merge')),
      superseded boolean not null default false,
      kept text not null default 'all' check (kept in ('all', 'daily', 'weekly')),
      bytes integer not null,
      begun_at timestamptz not null,
      created_at timestamptz not null,
      unique (entry_id, version),
      check (first_version <= version),
      check (cardinality(author_ids) = cardinality(author_names))
    )`.execute(db)
  await sql`
    create index entry_revisions_listed on entry_revisions (entry_id, version desc) where not superseded`.execute(
    db,
  )
  await sql`
    create index entry_revisions_due on entry_revisions (kept, created_at)
    where kept <> 'weekly' and not superseded`.execute(db)
  await sql`create index entry_revisions_superseded on entry_revisions (created_at) where superseded`.execute(
    db,
  )
  await sql`
    create index entry_revisions_of_drafts on entry_revisions ((author_ids[1])) where state = 'draft'`.execute(
    db,
  )
}

/** Texts that somebody is writing, under ids that their browsers make: of an entry, or of one that is yet to be. */
async function createDrafts(db: Kysely<unknown>) {
  await sql`
    create table entry_drafts (
      id uuid primary key,
      writer_id uuid not null references users on delete cascade,
      entry_id uuid references entries on delete set null,
      milestone_id uuid references milestones on delete set null,
      title text not null,
      content text not null,
      tags text[] not null,
      happened_at timestamptz,
      happened_on date,
      happened_zone text,
      cover_file_id uuid,
      base_version integer,
      version integer not null default 1,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`
    create unique index entry_drafts_once on entry_drafts (writer_id, entry_id) where entry_id is not null`.execute(
    db,
  )
  await sql`create index entry_drafts_of_writer on entry_drafts (writer_id, updated_at desc, id desc)`.execute(
    db,
  )
  await sql`create index entry_drafts_entry on entry_drafts (entry_id) where entry_id is not null`.execute(db)
  await sql`
    create index entry_drafts_milestone on entry_drafts (milestone_id) where milestone_id is not null`.execute(
    db,
  )
}

/**
 * A use is by an entry or one of its revisions (the text or the cover), by a draft, or by a project (its cover). Nobody
 * reads a file because of a use by a revision or a draft alone, but for those who may read that.
 */
async function extendUses(db: Kysely<unknown>) {
  const { rows: checks } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where conrelid = 'file_uses'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%num_nonnulls%'`.execute(
    db,
  )
  for (const { name } of checks) await sql`alter table file_uses drop constraint ${sql.id(name)}`.execute(db)
  await sql`
    alter table file_uses
    add column revision_id uuid references entry_revisions on delete cascade,
    add column draft_id uuid references entry_drafts on delete cascade,
    add constraint file_uses_user check (num_nonnulls(entry_id, project_id, revision_id, draft_id) = 1)`.execute(
    db,
  )
  await sql`drop index file_uses_once`.execute(db)
  await sql`
    create unique index file_uses_once
    on file_uses (file_id, coalesce(entry_id, project_id, revision_id, draft_id), used_as)`.execute(db)
  await sql`create index file_uses_revision on file_uses (revision_id) where revision_id is not null`.execute(
    db,
  )
  await sql`create index file_uses_draft on file_uses (draft_id) where draft_id is not null`.execute(db)
  await sql`
    create or replace function files_taken_over() returns trigger language plpgsql as $$
    begin
      update files f set project_id = d.project_id
      from (select distinct on (orphan.id) orphan.id, coalesce(u.project_id, m.project_id) project_id
            from files orphan join file_uses u on u.file_id = orphan.id
            left join entry_revisions r on r.id = u.revision_id
            left join entry_drafts d on d.id = u.draft_id
            left join entries e on e.id = coalesce(u.entry_id, r.entry_id, d.entry_id)
            left join milestones m on m.id = coalesce(e.milestone_id, d.milestone_id)
            where orphan.project_id is null and orphan.unused_since is null
            order by orphan.id, coalesce(u.project_id, m.project_id)) d
      where f.id = d.id;
      return null;
    end $$`.execute(db)
}

/** Bytes of an entry: its text, and those of its earlier revisions. The newest one is the text once more. */
const entryText = (row: string) =>
  sql.raw(`(octet_length(${row}.title) + octet_length(${row}.content)
    + octet_length(array_to_string(${row}.tags, '')) + ${row}.history_bytes)::bigint`)

const isLive = (row: string) => sql.raw(`(${row}.state = 'published' and ${row}.deleted_at is null)`)

/**
 * A save adds the bytes of what it replaces to the entry in its own update, so that they pass up with those of the text.
 * What is deleted from the history is taken away by a trigger, and raises no revision of a project: no reader sees it.
 */
async function countHistory(db: Kysely<unknown>) {
  await sql`alter table entries add column history_bytes bigint not null default 0`.execute(db)
  await sql`
    create function history_counted() returns trigger language plpgsql as $$
    begin
      update entries e set history_bytes = (
        select coalesce(sum(bytes) - (array_agg(bytes order by version desc))[1], 0)
        from entry_revisions r where r.entry_id = e.id)
      where id in (select entry_id from old_rows);
      return null;
    end $$`.execute(db)
  await sql`create trigger counted_delete after delete on entry_revisions referencing old table as old_rows
    for each statement execute function history_counted()`.execute(db)

  const added = (rows: string, seen: ReturnType<typeof sql>) => sql`
    select n.milestone_id, ${isLive('n')}::integer live, ${seen} seen, ${entryText('n')} text, n.image_bytes files
    from ${sql.raw(rows)}`
  const removed = (rows: string, seen: ReturnType<typeof sql>) => sql`
    select o.milestone_id, -${isLive('o')}::integer live, ${seen} seen, -${entryText('o')} text, -o.image_bytes files
    from ${sql.raw(rows)}`
  const both = 'new_rows n join old_rows o using (id)'
  const isThinned = sql`(n.version = o.version and n.history_bytes <> o.history_bytes)`
  const pass = (changes: ReturnType<typeof sql>) => sql`
    update milestones m set
      entry_count = entry_count + d.live, revision = revision + d.seen::integer,
      text_bytes = text_bytes + d.text, file_bytes = file_bytes + d.files
    from (select milestone_id, sum(live) live, bool_or(seen) seen, sum(text) text, sum(files) files
          from (${changes}) c group by milestone_id) d
    where m.id = d.milestone_id and (d.seen or d.text <> 0 or d.files <> 0)`
  await sql`
    create or replace function entries_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        ${pass(added('new_rows n', sql`${isLive('n')}`))};
      elsif tg_op = 'DELETE' then
        ${pass(removed('old_rows o', sql`${isLive('o')}`))};
      else
        ${pass(sql`
          ${added(both, sql`(${isLive('n')} and not ${isThinned})`)} union all
          ${removed(both, sql`(${isLive('o')} and not ${isThinned})`)}`)};
      end if;
      return null;
    end $$`.execute(db)
}

/** What somebody wrote while an entry was a draft was theirs alone, and goes with their account. */
async function deleteWithAuthors(db: Kysely<unknown>) {
  await sql`
    create function author_history_deleted() returns trigger language plpgsql as $$
    begin
      delete from entry_revisions where state = 'draft' and author_ids[1] = old.id;
      return old;
    end $$`.execute(db)
  // Triggers run in the order of their names: after the one that locks the projects.
  await sql`
    create trigger author_history_deleted before delete on users
    for each row execute function author_history_deleted()`.execute(db)
}
