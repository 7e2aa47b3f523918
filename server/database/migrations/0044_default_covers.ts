import { type Kysely, sql } from 'kysely'

/**
 * An entry without a chosen cover shows the first picture of its text, a project the cover of its newest entry, unless `no_cover`
 * says that it has none. Each milestone knows when its newest entry with a cover happened, so that the cover of a project is
 * found by two indexes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever writes locks the project first: no entry is on its way that a column would miss.
  await sql`lock table projects in exclusive mode`.execute(db)
  await sql`alter table projects add column no_cover boolean not null default false`.execute(db)
  await sql`alter table entries add column no_cover boolean not null default false`.execute(db)
  // No foreign key: a file that never arrives is removed, although the text still refers to it.
  await sql`alter table entries add column first_picture_id uuid`.execute(db)
  await sql`alter table entry_revisions add column no_cover boolean not null default false`.execute(db)
  await sql`
    alter table entry_drafts add column cover_choice text check (cover_choice in ('default', 'none'))`.execute(
    db,
  )
  await sql`alter table milestones add column newest_cover_at timestamptz`.execute(db)
  await fill(db)
  await createViews(db)
  await followEntries(db)
  await createNewestCover(db)
}

async function fill(db: Kysely<unknown>) {
  await sql`alter table entries disable trigger user`.execute(db)
  await sql`
    update entries e set first_picture_id = first.id
    from (
      select distinct on (u.entry_id) u.entry_id, f.id
      from file_uses u join files f on f.id = u.file_id and f.kind = 'image' and f.state <> 'removing'
      join entries e on e.id = u.entry_id
      left join entry_renderings r on r.entry_id = e.id and r.entry_version = e.version
      where u.used_as = 'text'
      order by u.entry_id, nullif(strpos(lower(coalesce(r.html, e.content)), '/files/' || f.id), 0), f.id
    ) first
    where first.entry_id = e.id`.execute(db)
  await sql`alter table entries enable trigger user`.execute(db)
  await sql`
    create index entries_with_cover on entries (milestone_id, happened_at desc, id desc)
    where state = 'published' and deleted_at is null and ${hasCover('entries')}`.execute(db)
  await sql`alter table milestones disable trigger user`.execute(db)
  await sql`
    update milestones m set newest_cover_at = (
      select max(e.happened_at) from entries e
      where e.milestone_id = m.id and e.state = 'published' and e.deleted_at is null and ${hasCover('e')})
    where entry_count > 0`.execute(db)
  await sql`alter table milestones enable trigger user`.execute(db)
  await sql`
    create index milestones_by_cover on milestones (project_id, newest_cover_at desc)
    where deleted_at is null and newest_cover_at is not null`.execute(db)
}

/** Whether the entry has a chosen cover, an image or a picture in its text. */
const hasCover = (alias: string) =>
  sql.raw(`(${alias}.cover_file_id is not null or ${alias}.image_id is not null
    or (${alias}.first_picture_id is not null and not ${alias}.no_cover))`)

/** Of the milestone `m`, by the indexes of publications and of covers. */
const lastPublished = sql`(select max(e.published_at) from live_entries e where e.milestone_id = m.id)`
const newestCover = sql`(select max(e.happened_at) from live_entries e where e.milestone_id = m.id and ${hasCover('e')})`

/** That of the account, as long as there is one. */
const authorName = sql`coalesce((select u.name from users u where u.id = author_id), author_name)`

/** As before, each with the new columns at the end. */
async function createViews(db: Kysely<unknown>) {
  await sql`
    create or replace view live_projects as
    select id, owner_id, title, description, is_public, visibility, version, revision, changed_at, milestone_count,
      completed_milestone_count, text_bytes, file_bytes, created_at, updated_at, cover_file_id, no_cover
    from projects where deleted_at is null`.execute(db)
  await sql`
    create or replace view public_projects as
    select id, owner_id, title, description, revision, milestone_count, completed_milestone_count, changed_at,
      created_at, updated_at, visibility, cover_file_id, no_cover
    from projects where is_public and deleted_at is null`.execute(db)
  await sql`
    create or replace view live_milestones as
    select id, project_id, title, description, completed, position, starts_on, due_on, reached_at, version,
      entry_count, text_bytes, file_bytes, created_at, updated_at, last_published_at, newest_cover_at
    from milestones where deleted_at is null`.execute(db)
  const columns = sql`id, milestone_id, title, content, tags, image_id, image_width, image_height, title_key, version,
      created_at, updated_at, happened_at, happened_on, happened_zone, author_id, ${authorName} as author_name, state,
      published_at, cover_file_id, no_cover, first_picture_id`
  await sql`
    create or replace view live_entries as
    select ${columns} from entries where state = 'published' and deleted_at is null`.execute(db)
  await sql`
    create or replace view entries_and_drafts as
    select ${columns} from entries where deleted_at is null`.execute(db)
}

/** Returns the cover of the newest live entry with one: a file, or the image of an entry. Reads one milestone and one entry by index. */
async function createNewestCover(db: Kysely<unknown>) {
  await sql`
    create function newest_cover(project uuid) returns json language sql stable parallel safe as $$
      select newest.cover from live_milestones m
      join lateral (
        select case when f.id is not null
          then json_build_object('id', f.id, 'widths', f.widths, 'width', f.width, 'height', f.height)
          else json_build_object('id', e.image_id, 'width', e.image_width, 'height', e.image_height) end as cover
        from live_entries e
        left join files f on f.state = 'ready' and f.kind = 'image' and f.id = coalesce(e.cover_file_id,
          case when e.image_id is null and not e.no_cover then e.first_picture_id end)
        where e.milestone_id = m.id and ${hasCover('e')}
          and (f.id is not null or (e.image_id is not null and e.cover_file_id is null))
        order by e.happened_at desc, e.id desc limit 1
      ) newest on true
      where m.project_id = project and m.newest_cover_at is not null
      order by m.newest_cover_at desc limit 1
    $$`.execute(db)
}

const entryText = (row: string) =>
  sql.raw(`(octet_length(${row}.title) + octet_length(${row}.content)
    + octet_length(array_to_string(${row}.tags, '')) + ${row}.history_bytes)::bigint`)

const isLive = (row: string) => sql.raw(`(${row}.state = 'published' and ${row}.deleted_at is null)`)

/** As in 0026, and sets the new column too. */
async function followEntries(db: Kysely<unknown>) {
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
      text_bytes = text_bytes + d.text, file_bytes = file_bytes + d.files,
      last_published_at = case when d.seen then ${lastPublished} else last_published_at end,
      newest_cover_at = case when d.seen then ${newestCover} else newest_cover_at end
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
