import type { ClientConfig } from 'pg'
import { onServer } from './testing-setup.ts'

/** The rows of each table as JSON, in an order that depends only on their content. */
export type Rows = Record<string, Record<string, unknown>[]>

/** Returns all rows of all tables, except those of jobs, migrations and unlogged tables. */
export async function allRows(config: ClientConfig): Promise<Rows> {
  return onServer(config, async (client) => {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `select schemaname as schema, tablename as name from pg_tables
       where schemaname in ('public', 'identity') and tablename not like 'kysely_migration%' and exists (
         select from pg_class c where c.oid = format('%I.%I', schemaname, tablename)::regclass and c.relpersistence = 'p')
       order by 1, 2`,
    )
    const all: Rows = {}
    for (const { schema, name } of tables) {
      const { rows } = await client.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from ${schema}."${name}" t order by to_jsonb(t)::text collate "C"`,
      )
      all[schema === 'public' ? name : `${schema}.${name}`] = rows.map(({ row }) => row)
    }
    return all
  })
}

const INCONSISTENCIES = `
  select 'milestone_count' as what, id from projects p where milestone_count
    <> (select count(*) from live_milestones where project_id = p.id)
  union all select 'completed_milestone_count', id from projects p where completed_milestone_count
    <> (select count(*) from live_milestones where project_id = p.id and completed)
  union all select 'entry_count', id from milestones m where entry_count
    <> (select count(*) from live_entries where milestone_id = m.id)
  union all select 'newest_entry_at', id from milestones m where newest_entry_at
    is distinct from (select max(happened_at) from live_entries where milestone_id = m.id)
  union all select 'entry_tags', id from live_entries e where (select count(distinct tag) from unnest(tags) tag)
    <> (select count(*) from entry_tags t where (t.entry_id, t.milestone_id, t.created_at, t.title_key)
      = (e.id, e.milestone_id, e.happened_at, e.title_key))
  union all select 'tags of no live entry', entry_id from entry_tags t
    where not exists (select from live_entries e where e.id = t.entry_id)
  union all select 'milestone_tags', milestone_id from milestone_tags m where entry_count
    <> (select count(*) from entry_tags t where t.milestone_id = m.milestone_id and t.tag = m.tag)
  union all select 'milestone bytes', id from milestones m where text_bytes <> (
    select octet_length(m.title) + octet_length(m.description) + coalesce(sum(octet_length(title)
      + octet_length(content) + octet_length(array_to_string(tags, '')) + history_bytes), 0)
    from entries where milestone_id = m.id)
  union all select 'history_bytes', id from entries e where history_bytes
    <> (select coalesce(sum(bytes), 0) from entry_revisions r where entry_id = e.id
      and exists (select from entry_revisions where entry_id = e.id and version > r.version))
  union all select 'bytes of a revision', id from entry_revisions where bytes
    <> octet_length(title) + octet_length(content) + octet_length(array_to_string(tags, ''))
  union all select 'project bytes', id from projects p where (text_bytes, file_bytes) <> (
    select octet_length(p.title) + octet_length(p.description) + coalesce(sum(text_bytes), 0),
      (select coalesce(sum(bytes), 0) from files where project_id = p.id)
    from milestones where project_id = p.id)
  union all select 'unused_since', id from files f where (unused_since is null)
    <> exists (select from file_uses where file_id = f.id)
  union all select 'storage_usage', u.id from users u left join storage_usage s on s.user_id = u.id
    where (coalesce(s.text_bytes, 0), coalesce(s.file_bytes, 0)) <> (
      select coalesce(sum(text_bytes), 0), coalesce(sum(file_bytes), 0)
        + (select coalesce(sum(octet_length(bytes)), 0) from profile_pictures where user_id = u.id)
      from projects where owner_id = u.id)
  union all select 'happened_on', id from entries
    where happened_on <> (happened_at at time zone happened_zone)::date
  union all select 'visibility', id from projects where is_public <> (visibility <> 'private')
  union all select 'reached_at', id from milestones where reached_at is not null and not completed
  union all select 'token_hash', id from collaborators where invite_token_encrypted is not null and token_hash is null
  union all select conname, null from pg_constraint where not convalidated
  union all select tgname, null from pg_trigger where tgenabled <> 'O'`

/** Returns wrong counts and derived rows, violated constraints, and disabled triggers of a database. */
export const findInconsistencies = (config: ClientConfig) =>
  onServer(config, async (client) => (await client.query(INCONSISTENCIES)).rows)

/**
 * Adapts rows of earlier levels: invitation tokens are stored encrypted and no longer in notifications (0012), expired counters of
 * sign-ins are dropped with their tables (0016), and images are files (0060).
 */
export function comparable({ collaborators = [], notifications = [], entries = [], ...others }: Rows): Rows {
  const {
    'identity.attempts': _attempts,
    'identity.rateLimit': _rateLimit,
    images: _images,
    ...rest
  } = others
  return {
    ...rest,
    ...(rest.milestones && { milestones: rest.milestones.map(({ file_bytes: _bytes, ...row }) => row) }),
    collaborators: collaborators.map(({ invite_token: _plain, ...row }) => row),
    notifications: notifications.map(({ data, ...row }) =>
      JSON.stringify(data).includes('inviteToken') ? row : { data, ...row },
    ),
    entries: entries.map(
      ({ image_id, image_width: _width, image_height: _height, image_bytes: _bytes, ...row }) =>
        image_id ? { ...row, cover_file_id: row.cover_file_id ?? image_id } : row,
    ),
  }
}

/** Returns the rows of a statement. */
export async function rowsOf(config: ClientConfig, sql: string) {
  return onServer(config, async (client) => (await client.query(sql)).rows)
}
