import { type Kysely, sql } from 'kysely'

/** Each milestone knows when its newest entry happened, so that the newest entry of a project is found without one look-up a milestone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever writes locks the project first: no entry is on its way that the column would miss.
  await sql`lock table projects in exclusive mode`.execute(db)
  await sql`alter table milestones add column newest_entry_at timestamptz`.execute(db)
  await sql`alter table milestones disable trigger user`.execute(db)
  await sql`update milestones m set newest_entry_at = ${newestEntry} where entry_count > 0`.execute(db)
  await sql`alter table milestones enable trigger user`.execute(db)
  // As before, with the new column at the end.
  await sql`
    create or replace view live_milestones as
    select id, project_id, title, description, completed, position, starts_on, due_on, reached_at, version,
      entry_count, text_bytes, created_at, updated_at, last_published_at, newest_cover_at, newest_entry_at
    from milestones where deleted_at is null`.execute(db)
  await followEntries(db)
  await sql`
    create or replace function last_entry_at(project uuid) returns timestamptz language sql stable parallel safe as $$
      select max(newest_entry_at) from live_milestones where project_id = project $$`.execute(db)
}

/** Of the milestone `m`, by index. */
const newestEntry = sql`(select max(e.happened_at) from live_entries e where e.milestone_id = m.id)`
const lastPublished = sql`(select max(e.published_at) from live_entries e where e.milestone_id = m.id)`
const newestCover = sql`(select max(e.happened_at) from live_entries e where e.milestone_id = m.id
  and (e.cover_file_id is not null or (e.first_picture_id is not null and not e.no_cover)))`

const entryText = (row: string) =>
  sql.raw(`(octet_length(${row}.title) + octet_length(${row}.content)
    + octet_length(array_to_string(${row}.tags, '')) + ${row}.history_bytes)::bigint`)

const isLive = (row: string) => sql.raw(`(${row}.state = 'published' and ${row}.deleted_at is null)`)

/** As in 0060, and sets the new column too. */
async function followEntries(db: Kysely<unknown>) {
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
      newest_cover_at = case when d.seen then ${newestCover} else newest_cover_at end,
      newest_entry_at = case when d.seen then ${newestEntry} else newest_entry_at end
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
