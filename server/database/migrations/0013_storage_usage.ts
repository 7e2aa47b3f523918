import { type Kysely, sql } from 'kysely'

/**
 * How many bytes each account stores, kept true in the transaction of each change. A cascade deletes a project before
 * its milestones and a milestone before its entries, so every level carries the sum of all below it and passes the
 * difference on: entries to their milestone, that to its project, and that to its owner's row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db)
  await countEntries(db)
  await countMilestones(db)
  await countProjects(db)
  await countWhatIsThere(db)
}

const entryText = (row: string) =>
  sql.raw(`(octet_length(${row}.title) + octet_length(${row}.content)
    + octet_length(array_to_string(${row}.tags, '')))::bigint`)

/** A bucket or folder is not asked how large older images are: a quarter of a byte for each pixel is near. */
const ESTIMATED_PIXELS_PER_BYTE = 4

async function addColumns(db: Kysely<unknown>) {
  await sql`alter table entries add column image_bytes integer not null default 0`.execute(db)
  for (const table of ['milestones', 'projects'])
    await sql`
      alter table ${sql.table(table)}
      add column text_bytes bigint not null default 0, add column file_bytes bigint not null default 0`.execute(
      db,
    )
  await sql`
    create table storage_usage (
      user_id uuid primary key references users on delete cascade,
      text_bytes bigint not null,
      file_bytes bigint not null
    )`.execute(db)
}

async function countEntries(db: Kysely<unknown>) {
  await sql`
    create or replace function entries_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        update milestones m set
          entry_count = entry_count + d.total, text_bytes = text_bytes + d.text, file_bytes = file_bytes + d.files
        from (select milestone_id, count(*) total, sum(${entryText('n')}) text, sum(n.image_bytes) files
              from new_rows n group by milestone_id) d
        where m.id = d.milestone_id;
      elsif tg_op = 'DELETE' then
        update milestones m set
          entry_count = entry_count - d.total, text_bytes = text_bytes - d.text, file_bytes = file_bytes - d.files
        from (select milestone_id, count(*) total, sum(${entryText('o')}) text, sum(o.image_bytes) files
              from old_rows o group by milestone_id) d
        where m.id = d.milestone_id;
      else
        update milestones m set
          entry_count = entry_count + d.total, text_bytes = text_bytes + d.text, file_bytes = file_bytes + d.files
        from (select milestone_id, sum(total) total, sum(text) text, sum(files) files from (
                select milestone_id, 1 total, ${entryText('n')} text, n.image_bytes files from new_rows n
                union all
                select milestone_id, -1, -${entryText('o')}, -o.image_bytes from old_rows o) c
              group by milestone_id) d
        where m.id = d.milestone_id;
      end if;
      return null;
    end $$`.execute(db)
}

async function countMilestones(db: Kysely<unknown>) {
  await sql`
    create function own_text_counted() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        new.text_bytes := octet_length(new.title) + octet_length(new.description);
        new.file_bytes := 0;
      else
        new.text_bytes := new.text_bytes + octet_length(new.title) + octet_length(new.description)
          - octet_length(old.title) - octet_length(old.description);
      end if;
      return new;
    end $$`.execute(db)
  for (const table of ['milestones', 'projects'])
    await sql`
      create trigger own_text_counted before insert or update on ${sql.table(table)}
      for each row execute function own_text_counted()`.execute(db)
  await sql`
    create or replace function milestones_changed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        update projects p set
          milestone_count = milestone_count + d.total, completed_milestone_count = completed_milestone_count + d.done,
          text_bytes = text_bytes + d.text, file_bytes = file_bytes + d.files
        from (select project_id, count(*) total, count(*) filter (where completed) done,
                sum(text_bytes) text, sum(file_bytes) files
              from new_rows group by project_id) d
        where p.id = d.project_id;
      elsif tg_op = 'DELETE' then
        update projects p set
          milestone_count = milestone_count - d.total, completed_milestone_count = completed_milestone_count - d.done,
          text_bytes = text_bytes - d.text, file_bytes = file_bytes - d.files
        from (select project_id, count(*) total, count(*) filter (where completed) done,
                sum(text_bytes) text, sum(file_bytes) files
              from old_rows group by project_id) d
        where p.id = d.project_id;
      else
        update projects p set
          milestone_count = milestone_count + d.total, completed_milestone_count = completed_milestone_count + d.done,
          text_bytes = text_bytes + d.text, file_bytes = file_bytes + d.files
        from (select project_id, sum(total) total, coalesce(sum(total) filter (where completed), 0) done,
                sum(text) text, sum(files) files from (
                select project_id, 1 total, completed, text_bytes text, file_bytes files from new_rows
                union all
                select project_id, -1, completed, -text_bytes, -file_bytes from old_rows) c
              group by project_id) d
        where p.id = d.project_id;
      end if;
      return null;
    end $$`.execute(db)
}

async function countProjects(db: Kysely<unknown>) {
  // An owner who is being deleted has no row to insert, and needs none: a delete only ever lowers what is there.
  await sql`
    create function projects_counted() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into storage_usage as u (user_id, text_bytes, file_bytes)
        select owner_id, sum(text_bytes), sum(file_bytes) from new_rows group by owner_id order by owner_id
        on conflict (user_id) do update set
          text_bytes = u.text_bytes + excluded.text_bytes, file_bytes = u.file_bytes + excluded.file_bytes;
      elsif tg_op = 'DELETE' then
        update storage_usage u set text_bytes = u.text_bytes - d.text, file_bytes = u.file_bytes - d.files
        from (select owner_id, sum(text_bytes) text, sum(file_bytes) files from old_rows group by owner_id) d
        where u.user_id = d.owner_id;
      else
        insert into storage_usage as u (user_id, text_bytes, file_bytes)
        select owner_id, sum(text), sum(files) from (
          select owner_id, text_bytes text, file_bytes files from new_rows
          union all
          select owner_id, -text_bytes, -file_bytes from old_rows) c
        group by owner_id having sum(text) <> 0 or sum(files) <> 0 order by owner_id
        on conflict (user_id) do update set
          text_bytes = u.text_bytes + excluded.text_bytes, file_bytes = u.file_bytes + excluded.file_bytes;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger counted_insert after insert on projects referencing new table as new_rows
    for each statement execute function projects_counted()`.execute(db)
  await sql`create trigger counted_delete after delete on projects referencing old table as old_rows
    for each statement execute function projects_counted()`.execute(db)
  await sql`create trigger counted_update after update on projects referencing old table as old_rows new table as new_rows
    for each statement execute function projects_counted()`.execute(db)
}

/** Without triggers: one pass over each table, and no revision changes. */
async function countWhatIsThere(db: Kysely<unknown>) {
  const tables = ['entries', 'milestones', 'projects']
  for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
  await sql`
    update entries set image_bytes = (image_width::bigint * image_height / ${sql.lit(ESTIMATED_PIXELS_PER_BYTE)})::integer
    where image_id is not null`.execute(db)
  await sql`
    update milestones m set
      text_bytes = octet_length(m.title) + octet_length(m.description) + coalesce(d.text, 0),
      file_bytes = coalesce(d.files, 0)
    from milestones every left join (
      select milestone_id, sum(${entryText('e')}) text, sum(image_bytes) files from entries e group by milestone_id
    ) d on d.milestone_id = every.id
    where every.id = m.id`.execute(db)
  await sql`
    update projects p set
      text_bytes = octet_length(p.title) + octet_length(p.description) + coalesce(d.text, 0),
      file_bytes = coalesce(d.files, 0)
    from projects every left join (
      select project_id, sum(text_bytes) text, sum(file_bytes) files from milestones group by project_id
    ) d on d.project_id = every.id
    where every.id = p.id`.execute(db)
  await sql`
    insert into storage_usage (user_id, text_bytes, file_bytes)
    select owner_id, sum(text_bytes), sum(file_bytes) from projects group by owner_id`.execute(db)
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
}
