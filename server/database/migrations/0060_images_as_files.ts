import { type Kysely, sql } from 'kysely'

/**
 * The image of an entry becomes a file that is its cover, under the same id, so that every address remains valid. Its bytes stay
 * where they are: a ready file of attempt 0 has the storage keys of an image (`server/files/storage-keys.ts`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever writes locks the project first: no entry is on its way that would keep an image.
  await sql`lock table projects in exclusive mode`.execute(db)
  // The bytes count for the same projects as before, and nothing that readers see changes.
  for (const table of ['entries', 'files', 'milestones'])
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
  await createFiles(db)
  await recordUses(db)
  for (const table of ['entries', 'files', 'milestones'])
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
  await dropImages(db)
  await createViews(db)
  await createNewestCover(db)
  await countEntries(db)
  await countMilestones(db)
}

/** The smaller variant of an image has at most 800 pixels on a side. Only the size of both variants together is known. */
const smaller = sql`greatest(1, round(image_width * 800.0 / greatest(image_width, image_height)))::integer`
const widths = sql`case when ${smaller} < image_width then array[${smaller}, image_width] else array[image_width] end`

/** An image that no entry shows becomes a file that is about to be removed. */
async function createFiles(db: Kysely<unknown>) {
  await sql`
    insert into files (id, project_id, name, kind, type, size, bytes, state, width, height, widths, created_at)
    select e.image_id, m.project_id, 'image.webp', 'image', 'image/webp', e.image_bytes, e.image_bytes, 'ready',
      image_width, image_height, ${widths}, e.created_at
    from entries e join milestones m on m.id = e.milestone_id where e.image_id is not null`.execute(db)
  await sql`
    insert into files (id, name, kind, type, size, bytes, state, unused_since, created_at)
    select id, 'image.webp', 'image', 'image/webp', 0, 0, 'removing', '-infinity', now() from images
    where not exists (select from entries where image_id = images.id)`.execute(db)
}

/**
 * An image was shown unless a file was chosen as the cover, and restoring an earlier version kept it. An image behind a chosen
 * cover remains used until the cover changes, and by the versions without one.
 */
async function recordUses(db: Kysely<unknown>) {
  await sql`
    insert into file_uses (file_id, entry_id, used_as)
    select image_id, id, 'cover' from entries where image_id is not null`.execute(db)
  await sql`
    insert into file_uses (file_id, revision_id, used_as)
    select e.image_id, r.id, 'cover' from entries e join entry_revisions r on r.entry_id = e.id
    where e.image_id is not null and r.cover_file_id is null`.execute(db)
  await sql`
    insert into file_uses (file_id, draft_id, used_as)
    select e.image_id, d.id, 'cover' from entries e join entry_drafts d on d.entry_id = e.id
    where e.image_id is not null and d.cover_choice = 'default'`.execute(db)
  await sql`
    update entry_revisions r set cover_file_id = e.image_id, no_cover = false from entries e
    where e.id = r.entry_id and e.image_id is not null and r.cover_file_id is null`.execute(db)
  await sql`
    update entry_drafts d set cover_file_id = e.image_id, cover_choice = null from entries e
    where e.id = d.entry_id and e.image_id is not null and d.cover_choice = 'default'`.execute(db)
  await sql`
    update entries set cover_file_id = image_id, no_cover = false
    where image_id is not null and cover_file_id is null`.execute(db)
}

/** Milestones counted the bytes of images, and nothing else. */
async function dropImages(db: Kysely<unknown>) {
  for (const view of ['live_entries', 'entries_and_drafts', 'live_milestones'])
    await sql`drop view ${sql.table(view)}`.execute(db)
  for (const event of ['insert', 'update', 'delete'])
    await sql`drop trigger ${sql.id(`imaged_${event}`)} on entries`.execute(db)
  await sql`drop function entry_images_changed`.execute(db)
  await sql`
    alter table entries drop column image_id, drop column image_width, drop column image_height, drop column image_bytes`.execute(
    db,
  )
  await sql`alter table milestones drop column file_bytes`.execute(db)
  await sql`drop table images`.execute(db)
  await sql`
    create index entries_with_cover on entries (milestone_id, happened_at desc, id desc)
    where state = 'published' and deleted_at is null and ${hasCover('entries')}`.execute(db)
}

/** Whether the entry has a chosen cover or a picture in its text. */
const hasCover = (alias: string) =>
  sql.raw(
    `(${alias}.cover_file_id is not null or (${alias}.first_picture_id is not null and not ${alias}.no_cover))`,
  )

/** Of the milestone `m`, by the indexes of publications and of covers. */
const lastPublished = sql`(select max(e.published_at) from live_entries e where e.milestone_id = m.id)`
const newestCover = sql`(select max(e.happened_at) from live_entries e where e.milestone_id = m.id and ${hasCover('e')})`

/** That of the account, as long as there is one. */
const authorName = sql`coalesce((select u.name from users u where u.id = author_id), author_name)`

/** As before, without the dropped columns. */
async function createViews(db: Kysely<unknown>) {
  await sql`
    create view live_milestones as
    select id, project_id, title, description, completed, position, starts_on, due_on, reached_at, version,
      entry_count, text_bytes, created_at, updated_at, last_published_at, newest_cover_at
    from milestones where deleted_at is null`.execute(db)
  const columns = sql`id, milestone_id, title, content, tags, title_key, version, created_at, updated_at, happened_at,
      happened_on, happened_zone, author_id, ${authorName} as author_name, state, published_at, cover_file_id, no_cover,
      first_picture_id`
  await sql`
    create view live_entries as
    select ${columns} from entries where state = 'published' and deleted_at is null`.execute(db)
  await sql`create view entries_and_drafts as select ${columns} from entries where deleted_at is null`.execute(
    db,
  )
}

/** Returns the cover of the newest live entry with one. Reads one milestone and one entry by index. */
async function createNewestCover(db: Kysely<unknown>) {
  await sql`
    create or replace function newest_cover(project uuid) returns json language sql stable parallel safe as $$
      select newest.cover from live_milestones m
      join lateral (
        select json_build_object('id', f.id, 'widths', f.widths, 'width', f.width, 'height', f.height) as cover
        from live_entries e
        join files f on f.state = 'ready' and f.kind = 'image'
          and f.id = coalesce(e.cover_file_id, case when not e.no_cover then e.first_picture_id end)
        where e.milestone_id = m.id and ${hasCover('e')}
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

/** As in 0044, without the bytes of images. */
async function countEntries(db: Kysely<unknown>) {
  const added = (rows: string, seen: ReturnType<typeof sql>) => sql`
    select n.milestone_id, ${isLive('n')}::integer live, ${seen} seen, ${entryText('n')} text from ${sql.raw(rows)}`
  const removed = (rows: string, seen: ReturnType<typeof sql>) => sql`
    select o.milestone_id, -${isLive('o')}::integer live, ${seen} seen, -${entryText('o')} text from ${sql.raw(rows)}`
  const both = 'new_rows n join old_rows o using (id)'
  const isThinned = sql`(n.version = o.version and n.history_bytes <> o.history_bytes)`
  const pass = (changes: ReturnType<typeof sql>) => sql`
    update milestones m set
      entry_count = entry_count + d.live, revision = revision + d.seen::integer, text_bytes = text_bytes + d.text,
      last_published_at = case when d.seen then ${lastPublished} else last_published_at end,
      newest_cover_at = case when d.seen then ${newestCover} else newest_cover_at end
    from (select milestone_id, sum(live) live, bool_or(seen) seen, sum(text) text
          from (${changes}) c group by milestone_id) d
    where m.id = d.milestone_id and (d.seen or d.text <> 0)`
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

/** As in 0013 and 0018, without the bytes of images. */
async function countMilestones(db: Kysely<unknown>) {
  const isLiveMilestone = (row: string) => sql.raw(`(${row}.deleted_at is null)`)
  const added = sql`
    select project_id, ${isLiveMilestone('n')}::integer live, (n.completed and n.deleted_at is null)::integer done,
      text_bytes text from new_rows n`
  const removed = sql`
    select project_id, -${isLiveMilestone('o')}::integer live, -(o.completed and o.deleted_at is null)::integer done,
      -text_bytes text from old_rows o`
  const pass = (changes: ReturnType<typeof sql>, seen: ReturnType<typeof sql>) => sql`
    update projects p set
      milestone_count = milestone_count + d.live, completed_milestone_count = completed_milestone_count + d.done,
      revision = revision + s.seen::integer, text_bytes = text_bytes + d.text
    from (select project_id, sum(live) live, sum(done) done, sum(text) text
          from (${changes}) c group by project_id) d
      join (${seen}) s using (project_id)
    where p.id = d.project_id and (s.seen or d.text <> 0)`
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
  await sql`
    create or replace function milestone_changed() returns trigger language plpgsql as $$
    declare
      seen milestones := new;
    begin
      seen.text_bytes := old.text_bytes;
      if seen is distinct from old then
        new.revision := old.revision + 1;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create or replace function own_text_counted() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        new.text_bytes := octet_length(new.title) + octet_length(new.description);
      else
        new.text_bytes := new.text_bytes + octet_length(new.title) + octet_length(new.description)
          - octet_length(old.title) - octet_length(old.description);
      end if;
      return new;
    end $$`.execute(db)
}
