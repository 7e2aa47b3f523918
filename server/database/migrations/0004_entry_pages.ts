import { type Kysely, sql } from 'kysely'

/** Those that lower letters of every script, the steadiest first; the database's own if it has neither. */
const FOLDING_COLLATIONS = ['pg_c_utf8', 'und-x-icu'] as const

/** What a page of entries is read by: tags and titles in every order, the text by its letters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createKeys(db)
  await createTags(db)
  await createSearch(db)
}

async function createKeys(db: Kysely<unknown>) {
  const collation = sql.id(await foldingCollation(db))
  await sql`
    create function folded(written text) returns text language sql immutable strict parallel safe
    return lower(written collate ${collation})`.execute(db)

  // Without case and accents, numbers by their value ("Day 2" before "Day 10"), and short enough for an index.
  await sql`
    create function sort_key(written text) returns text language sql immutable strict parallel safe
    return left(regexp_replace(regexp_replace(
      regexp_replace(folded(normalize(written, NFD)), '[\\u0300-\\u036f]', '', 'g'),
      '([0-9]+)', '000000000\\1', 'g'), '0+([0-9]{10})', '\\1', 'g'), 200)`.execute(db)

  await sql`
    alter table entries
    add column title_key text collate "C" generated always as (sort_key(title)) stored`.execute(db)
  await sql`
    create index entries_by_title on entries (milestone_id, title_key, created_at desc, id desc)`.execute(db)
}

async function foldingCollation(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ collname: string }>`
    select collname from pg_collation
    where collnamespace = 'pg_catalog'::regnamespace and collname in (${sql.join(FOLDING_COLLATIONS)})`.execute(
    db,
  )
  const there = rows.map(({ collname }) => collname)
  return FOLDING_COLLATIONS.find((name) => there.includes(name)) ?? 'default'
}

/**
 * Two tables that follow from `entries.tags`, kept by statement triggers alone: the entries of a tag in each order,
 * and the distinct tags of a milestone with how many entries carry them.
 */
async function createTags(db: Kysely<unknown>) {
  await sql`
    create table entry_tags (
      entry_id uuid not null,
      tag text collate "C" not null,
      milestone_id uuid not null,
      created_at timestamptz not null,
      title_key text collate "C" not null,
      primary key (entry_id, tag)
    )`.execute(db)
  await sql`
    create table milestone_tags (
      milestone_id uuid not null,
      tag text collate "C" not null,
      entry_count integer not null,
      primary key (milestone_id, tag)
    )`.execute(db)

  await sql`
    create function entry_tags_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into milestone_tags as m (milestone_id, tag, entry_count)
        select milestone_id, tag, count(*) from new_rows group by milestone_id, tag order by milestone_id, tag
        on conflict (milestone_id, tag) do update set entry_count = m.entry_count + excluded.entry_count;
      else
        update milestone_tags m set entry_count = m.entry_count - d.total
        from (select milestone_id, tag, count(*) total from old_rows group by milestone_id, tag) d
        where m.milestone_id = d.milestone_id and m.tag = d.tag;
        delete from milestone_tags m using (select distinct milestone_id from old_rows) d
        where m.milestone_id = d.milestone_id and m.entry_count = 0;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger counted_insert after insert on entry_tags referencing new table as new_rows
    for each statement execute function entry_tags_changed()`.execute(db)
  await sql`create trigger counted_delete after delete on entry_tags referencing old table as old_rows
    for each statement execute function entry_tags_changed()`.execute(db)

  const tagsOf = (rows: string) => sql`
    select distinct n.id, tag, n.milestone_id, n.created_at, n.title_key from ${sql.raw(rows)}, unnest(n.tags) tag`
  await sql`
    create function entries_tagged() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into entry_tags (entry_id, tag, milestone_id, created_at, title_key) ${tagsOf('new_rows n')};
      elsif tg_op = 'DELETE' then
        delete from entry_tags t using old_rows o where t.entry_id = o.id;
      else
        delete from entry_tags t using old_rows o join new_rows n using (id)
        where t.entry_id = o.id and (o.tags, o.title_key) is distinct from (n.tags, n.title_key);
        insert into entry_tags (entry_id, tag, milestone_id, created_at, title_key)
        ${tagsOf('new_rows n join old_rows o using (id)')}
        where (o.tags, o.title_key) is distinct from (n.tags, n.title_key);
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger tagged_insert after insert on entries referencing new table as new_rows
    for each statement execute function entries_tagged()`.execute(db)
  await sql`create trigger tagged_delete after delete on entries referencing old table as old_rows
    for each statement execute function entries_tagged()`.execute(db)
  await sql`create trigger tagged_update after update on entries referencing old table as old_rows new table as new_rows
    for each statement execute function entries_tagged()`.execute(db)

  await sql`
    insert into entry_tags (entry_id, tag, milestone_id, created_at, title_key) ${tagsOf('entries n')}`.execute(
    db,
  )
  await sql`
    create index entry_tags_by_date on entry_tags (milestone_id, tag, created_at desc, entry_id desc)`.execute(
    db,
  )
  await sql`
    create index entry_tags_by_title
    on entry_tags (milestone_id, tag, title_key, created_at desc, entry_id desc)`.execute(db)
}

/**
 * An index of every three letters, where the database's owner may have the extensions for it. Without them, search
 * finds the same by reading the milestone's entries (docs/decisions/0006-entry-pages.md).
 */
async function createSearch(db: Kysely<unknown>) {
  await sql`
    do $$
    begin
      create extension if not exists pg_trgm;
      create extension if not exists btree_gin;
      create index entries_search on entries
      using gin (milestone_id, folded(title || e'\\x1f' || content) gin_trgm_ops) with (fastupdate = off);
    exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
      raise notice 'entries are searched without an index: %', sqlerrm;
    end $$`.execute(db)
}
