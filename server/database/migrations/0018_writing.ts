import { type Kysely, sql } from 'kysely'

/**
 * Entries get a date of their own, an author and a state; milestones dates and a position; projects a visibility; all
 * three the marks of a trash. Triggers fill what a server of the release before leaves out, so it may still run beside.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In the order in which sign-ins and writers take them.
  await sql`lock table users in share row exclusive mode`.execute(db)
  await addColumns(db)
  await createPositions(db)
  await fillEntries(db)
  await fillMilestonesAndProjects(db)
  await addConstraints(db)
  await createViews(db)
  await createDefaults(db)
  await countLiveEntries(db)
  await countLiveMilestones(db)
  await raiseRevisions(db)
  await followNames(db)
}

const DELETABLE = ['projects', 'milestones', 'entries']

async function addColumns(db: Kysely<unknown>) {
  for (const table of DELETABLE)
    await sql`
      alter table ${sql.table(table)}
      add column deleted_at timestamptz, add column deleted_by uuid, add column deletion_id uuid`.execute(db)
  await sql`
    alter table entries
    add column happened_at timestamptz,
    add column happened_on date,
    add column happened_zone text not null default 'UTC' check (char_length(happened_zone) between 1 and 64),
    add column author_id uuid,
    add column author_name text check (char_length(author_name) <= 100),
    add column state text not null default 'published' check (state in ('draft', 'published')),
    add column published_at timestamptz`.execute(db)
  await sql`
    alter table milestones
    add column position text collate "C",
    add column starts_on date,
    add column due_on date,
    add column reached_at timestamptz,
    add column revision bigint not null default 1`.execute(db)
  await sql`
    alter table projects
    add column visibility text check (visibility in ('private', 'unlisted', 'public'))`.execute(db)
}

/**
 * Positions are keys of fractional indexing: between any two there is a third. These are the ones without a fraction,
 * 'a0', 'a1' … 'az', 'b00' …: a letter that says how many digits follow, and the digits, of base 62.
 */
async function createPositions(db: Kysely<unknown>) {
  await sql`
    create function position_after(last text) returns text language plpgsql immutable parallel safe as $$
    declare
      digits constant text collate "C" := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
      head integer;
      body text collate "C";
      digit integer;
    begin
      if last is null then
        return 'a0';
      end if;
      head := ascii(last);
      body := substr(last, 2, case when head >= ascii('a') then head - ascii('a') else ascii('Z') - head end + 1);
      for place in reverse length(body)..1 loop
        digit := strpos(digits, substr(body, place, 1));
        if digit < 62 then
          return chr(head) || overlay(body placing substr(digits, digit + 1, 1) from place for 1);
        end if;
        body := overlay(body placing '0' from place for 1);
      end loop;
      if head = ascii('Z') then
        return 'a0';
      end if;
      return chr(head + 1) || case when head >= ascii('a') then body || '0' else left(body, -1) end;
    end $$`.execute(db)
}

/**
 * One pass over the table without its triggers and without the indexes that would follow each row: building them again
 * takes a fraction of the time.
 */
async function fillEntries(db: Kysely<unknown>) {
  const { rows: search } = await sql<{ definition: string }>`
    select pg_get_indexdef(indexrelid) as definition from pg_index
    where indexrelid = to_regclass('entries_search')`.execute(db)
  await sql`drop index if exists entries_search, entries_milestone, entries_by_title`.execute(db)
  await sql`alter table entries disable trigger user`.execute(db)
  // The author is known where nobody but the owner could ever write.
  await sql`
    update entries e set
      happened_at = e.created_at, happened_on = (e.created_at at time zone 'UTC')::date, published_at = e.created_at,
      author_id = w.id, author_name = w.name
    from milestones m left join (
      select p.id as project_id, u.id, u.name from projects p join users u on u.id = p.owner_id
      where not exists (select from collaborators c where c.project_id = p.id and c.role in ('editor', 'admin'))
    ) w on w.project_id = m.project_id
    where m.id = e.milestone_id`.execute(db)
  await sql`alter table entries enable trigger user`.execute(db)
  await sql`set local maintenance_work_mem = '128MB'`.execute(db)
  await sql`
    create index entries_by_date on entries (milestone_id, happened_at desc, id desc)
    include (state, author_id, deleted_at)`.execute(db)
  await sql`
    create index entries_by_title on entries (milestone_id, title_key, happened_at desc, id desc)
    include (state, author_id) where deleted_at is null`.execute(db)
  await sql`
    create index entries_by_publication on entries (milestone_id, published_at desc, id desc)
    where state = 'published' and deleted_at is null`.execute(db)
  await sql`create index entries_author on entries (author_id)`.execute(db)
  await sql`
    create index entries_drafts on entries (milestone_id, author_id)
    where state = 'draft' and deleted_at is null`.execute(db)
  for (const { definition } of search) await sql.raw(definition).execute(db)
}

async function fillMilestonesAndProjects(db: Kysely<unknown>) {
  for (const table of ['milestones', 'projects'])
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
  await sql`
    with recursive counted as (
      select id, row_number() over (partition by project_id order by created_at, id) as place from milestones
    ), keys as (
      select 1::bigint as place, position_after(null) as key
      union all
      select place + 1, position_after(key) from keys where place < (select max(place) from counted)
    )
    update milestones m set position = k.key from counted c join keys k using (place) where c.id = m.id`.execute(
    db,
  )
  await sql`
    update projects set visibility = case when is_public then 'public' else 'private' end`.execute(db)
  for (const table of ['milestones', 'projects'])
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
  await sql`create index milestones_by_position on milestones (project_id, position, id)`.execute(db)
}

async function addConstraints(db: Kysely<unknown>) {
  await sql`
    alter table entries
    alter column happened_at set not null,
    alter column happened_on set not null,
    add foreign key (author_id) references users on delete set null,
    add check (state = 'draft' or published_at is not null)`.execute(db)
  await sql`alter table milestones alter column position set not null`.execute(db)
  await sql`
    alter table projects
    alter column visibility set not null,
    add check (is_public = (visibility <> 'private'))`.execute(db)
  for (const table of DELETABLE) {
    await sql`
      alter table ${sql.table(table)}
      add foreign key (deleted_by) references users on delete set null,
      add check (num_nulls(deleted_at, deletion_id) in (0, 2)),
      add check (deleted_at is not null or deleted_by is null)`.execute(db)
    await sql`
      create index ${sql.id(`${table}_deleted`)} on ${sql.table(table)} (deletion_id)
      where deletion_id is not null`.execute(db)
    await sql`
      create index ${sql.id(`${table}_deleted_by`)} on ${sql.table(table)} (deleted_by)
      where deleted_by is not null`.execute(db)
  }
}

/** That of the account, as long as there is one. */
const authorName = sql`coalesce((select u.name from users u where u.id = author_id), author_name)`

/** New columns of a view come last: a server of the release before has prepared statements on it. */
async function createViews(db: Kysely<unknown>) {
  await sql`
    create view live_projects as
    select id, owner_id, title, description, is_public, visibility, version, revision, changed_at, milestone_count,
      completed_milestone_count, text_bytes, file_bytes, created_at, updated_at
    from projects where deleted_at is null`.execute(db)
  await sql`
    create or replace view public_projects as
    select id, owner_id, title, description, revision, milestone_count, completed_milestone_count, changed_at,
      created_at, updated_at, visibility
    from projects where is_public and deleted_at is null`.execute(db)
  await sql`
    create view live_milestones as
    select id, project_id, title, description, completed, position, starts_on, due_on, reached_at, version,
      entry_count, text_bytes, file_bytes, created_at, updated_at
    from milestones where deleted_at is null`.execute(db)
  await sql`
    create or replace view live_entries as
    select id, milestone_id, title, content, tags, image_id, image_width, image_height, title_key, version,
      created_at, updated_at, happened_at, happened_on, happened_zone, author_id, ${authorName} as author_name, state,
      published_at
    from entries where state = 'published' and deleted_at is null`.execute(db)
  await sql`
    create view entries_and_drafts as
    select id, milestone_id, title, content, tags, image_id, image_width, image_height, title_key, version,
      created_at, updated_at, happened_at, happened_on, happened_zone, author_id, ${authorName} as author_name, state,
      published_at
    from entries where deleted_at is null`.execute(db)
  // Of each milestone the latest entry is read, by index.
  await sql`
    create function last_entry_at(project uuid) returns timestamptz language sql stable parallel safe as $$
      select max(latest.happened_at) from live_milestones m cross join lateral (
        select e.happened_at from live_entries e where e.milestone_id = m.id order by e.happened_at desc limit 1
      ) latest where m.project_id = project $$`.execute(db)
}

/** What follows from other columns of the same row, whichever release wrote it. */
async function createDefaults(db: Kysely<unknown>) {
  await sql`
    create function entry_completed() returns trigger language plpgsql as $$
    begin
      new.happened_at := coalesce(new.happened_at, new.created_at);
      new.happened_on := coalesce(new.happened_on, (new.happened_at at time zone new.happened_zone)::date);
      if new.state = 'published' then
        new.published_at := coalesce(new.published_at, new.updated_at);
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger completed before insert or update on entries
    for each row execute function entry_completed()`.execute(db)

  await sql`
    create function milestone_completed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        new.position := coalesce(new.position,
          position_after((select max(position) from milestones where project_id = new.project_id)));
        new.reached_at := case when new.completed then coalesce(new.reached_at, new.created_at) end;
      elsif not new.completed then
        new.reached_at := null;
      elsif not old.completed then
        new.reached_at := new.updated_at;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger completed before insert or update on milestones
    for each row execute function milestone_completed()`.execute(db)

  // Of two that are changed together, the visibility decides. A public project that only says so keeps its kind.
  await sql`
    create function project_visibility() returns trigger language plpgsql as $$
    begin
      if new.visibility is null
        or (tg_op = 'UPDATE' and new.visibility = old.visibility and new.is_public <> old.is_public) then
        new.visibility := case when new.is_public then 'public' else 'private' end;
      end if;
      new.is_public := new.visibility <> 'private';
      return new;
    end $$`.execute(db)
  await sql`
    create trigger completed before insert or update on projects
    for each row execute function project_visibility()`.execute(db)
}

const entryText = (row: string) =>
  sql.raw(`(octet_length(${row}.title) + octet_length(${row}.content)
    + octet_length(array_to_string(${row}.tags, '')))::bigint`)

const isLive = (row: string) => sql.raw(`(${row}.state = 'published' and ${row}.deleted_at is null)`)

/**
 * Counts and tags are those of live entries, and a change that no reader sees raises no revision. Bytes are those of
 * all rows: a draft takes room as well.
 */
async function countLiveEntries(db: Kysely<unknown>) {
  const added = sql`
    select milestone_id, ${isLive('n')}::integer live, ${isLive('n')} seen, ${entryText('n')} text,
      n.image_bytes files from new_rows n`
  const removed = sql`
    select milestone_id, -${isLive('o')}::integer live, ${isLive('o')} seen, -${entryText('o')} text,
      -o.image_bytes files from old_rows o`
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
        ${pass(added)};
      elsif tg_op = 'DELETE' then
        ${pass(removed)};
      else
        ${pass(sql`${added} union all ${removed}`)};
      end if;
      return null;
    end $$`.execute(db)

  const tagsOf = (rows: string) => sql`
    insert into entry_tags (entry_id, tag, milestone_id, created_at, title_key)
    select distinct n.id, tag, n.milestone_id, n.happened_at, n.title_key
    from ${sql.raw(rows)}, unnest(n.tags) tag where ${isLive('n')}`
  const differs = sql`
    (o.tags, o.title_key, o.milestone_id, o.happened_at, ${isLive('o')})
    is distinct from (n.tags, n.title_key, n.milestone_id, n.happened_at, ${isLive('n')})`
  await sql`
    create or replace function entries_tagged() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        ${tagsOf('new_rows n')};
      elsif tg_op = 'DELETE' then
        delete from entry_tags t using old_rows o where t.entry_id = o.id;
      else
        delete from entry_tags t using old_rows o join new_rows n using (id)
        where t.entry_id = o.id and ${differs};
        ${tagsOf('new_rows n join old_rows o using (id)')} and ${differs};
      end if;
      return null;
    end $$`.execute(db)
}

async function countLiveMilestones(db: Kysely<unknown>) {
  const isLiveMilestone = (row: string) => sql.raw(`(${row}.deleted_at is null)`)
  const added = sql`
    select project_id, ${isLiveMilestone('n')}::integer live, (n.completed and n.deleted_at is null)::integer done,
      text_bytes text, file_bytes files from new_rows n`
  const removed = sql`
    select project_id, -${isLiveMilestone('o')}::integer live, -(o.completed and o.deleted_at is null)::integer done,
      -text_bytes text, -file_bytes files from old_rows o`
  const pass = (changes: ReturnType<typeof sql>, seen: ReturnType<typeof sql>) => sql`
    update projects p set
      milestone_count = milestone_count + d.live, completed_milestone_count = completed_milestone_count + d.done,
      revision = revision + s.seen::integer, text_bytes = text_bytes + d.text, file_bytes = file_bytes + d.files
    from (select project_id, sum(live) live, sum(done) done, sum(text) text, sum(files) files
          from (${changes}) c group by project_id) d
      join (${seen}) s using (project_id)
    where p.id = d.project_id and (s.seen or d.text <> 0 or d.files <> 0)`
  const seenIn = (rows: string, row: string) =>
    sql`select project_id, bool_or(${isLiveMilestone(row)}) seen from ${sql.raw(`${rows} ${row}`)} group by project_id`
  const seenUpdate = sql`
    select project_id, bool_or(seen) seen from (
      select n.project_id, n.revision <> o.revision seen from new_rows n join old_rows o using (id)
      union all
      select o.project_id, n.revision <> o.revision from new_rows n join old_rows o using (id)) b
    group by project_id`
  await sql`
    create or replace function milestones_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        ${pass(added, seenIn('new_rows', 'n'))};
      elsif tg_op = 'DELETE' then
        ${pass(removed, seenIn('old_rows', 'o'))};
      else
        ${pass(sql`${added} union all ${removed}`, seenUpdate)};
      end if;
      return null;
    end $$`.execute(db)
}

/** A revision rises with every change of its row but for the bytes, which drafts change too. */
async function raiseRevisions(db: Kysely<unknown>) {
  await sql`
    create function milestone_changed() returns trigger language plpgsql as $$
    declare
      seen milestones := new;
    begin
      seen.text_bytes := old.text_bytes;
      seen.file_bytes := old.file_bytes;
      if seen is distinct from old then
        new.revision := old.revision + 1;
      end if;
      return new;
    end $$`.execute(db)
  // Triggers run in the order of their names: after what follows from other columns.
  await sql`
    create trigger revised before update on milestones
    for each row execute function milestone_changed()`.execute(db)
  await sql`
    create or replace function project_changed() returns trigger language plpgsql as $$
    declare
      seen projects := new;
    begin
      seen.text_bytes := old.text_bytes;
      seen.file_bytes := old.file_bytes;
      if seen is distinct from old then
        new.revision := old.revision + 1;
        new.changed_at := now();
      end if;
      return new;
    end $$`.execute(db)
}

/**
 * Pages show an author's name, so a new name raises the revisions of the projects. With an account its drafts go, and
 * what it published keeps the name.
 */
async function followNames(db: Kysely<unknown>) {
  await sql`
    create function author_renamed() returns trigger language plpgsql as $$
    declare
      written uuid[] := array(
        select distinct m.project_id from entries e join milestones m on m.id = e.milestone_id
        where e.author_id = new.id order by 1);
    begin
      perform from projects where id = any (written) order by id for no key update;
      update projects set revision = revision + 1 where id = any (written);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger author_renamed after update of name on users
    for each row when (old.name is distinct from new.name) execute function author_renamed()`.execute(db)
  await sql`
    create function author_deleted() returns trigger language plpgsql as $$
    begin
      perform from projects where id in (
        select m.project_id from entries e join milestones m on m.id = e.milestone_id where e.author_id = old.id)
      order by id for no key update;
      delete from entries where author_id = old.id and state = 'draft';
      update entries set author_id = null, author_name = old.name where author_id = old.id;
      return old;
    end $$`.execute(db)
  await sql`
    create trigger author_deleted before delete on users
    for each row execute function author_deleted()`.execute(db)
}
