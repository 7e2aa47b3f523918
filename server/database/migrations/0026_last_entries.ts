import { type Kysely, sql } from 'kysely'

/**
 * Each milestone knows when its latest live entry was published, so that the latest entry of a project is found by two
 * indexes, however many milestones and entries the project has.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whoever writes locks the project first: no entry is on its way that the column would miss.
  await sql`lock table projects in exclusive mode`.execute(db)
  await sql`alter table milestones add column last_published_at timestamptz`.execute(db)
  await sql`alter table milestones disable trigger user`.execute(db)
  await sql`update milestones m set last_published_at = ${lastPublished} where entry_count > 0`.execute(db)
  await sql`alter table milestones enable trigger user`.execute(db)
  await sql`
    create index milestones_by_publication on milestones (project_id, last_published_at desc)
    where deleted_at is null and last_published_at is not null`.execute(db)
  await sql`
    create or replace view live_milestones as
    select id, project_id, title, description, completed, position, starts_on, due_on, reached_at, version,
      entry_count, text_bytes, file_bytes, created_at, updated_at, last_published_at
    from milestones where deleted_at is null`.execute(db)
  await followEntries(db)
}

/** Of the milestone `m`, by the index of publications. */
const lastPublished = sql`(select max(e.published_at) from live_entries e where e.milestone_id = m.id)`

const entryText = (row: string) =>
  sql.raw(`(octet_length(${row}.title) + octet_length(${row}.content)
    + octet_length(array_to_string(${row}.tags, '')) + ${row}.history_bytes)::bigint`)

const isLive = (row: string) => sql.raw(`(${row}.state = 'published' and ${row}.deleted_at is null)`)

/** As in 0021, and sets the column where readers see the change. */
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
      last_published_at = case when d.seen then ${lastPublished} else last_published_at end
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
