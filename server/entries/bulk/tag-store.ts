import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

type TagQuery = { projectId: string; tag: string; reader: string }

/** Published entries are found by the index of tags, unpublished ones of the reader by that of these. */
const tagged = ({ projectId, tag, reader }: TagQuery) => sql`
  select t.entry_id as id, m.id as milestone_id, false as is_unpublished
  from live_milestones m join entry_tags t on t.milestone_id = m.id
  where m.project_id = ${projectId} and t.tag = ${tag}
  union all
  select e.id, m.id, true from live_milestones m join entries_and_drafts e on e.milestone_id = m.id
  where m.project_id = ${projectId} and e.state = 'draft' and e.author_id = ${reader} and ${tag} = any(e.tags)`

/** Returns the ids of the entries of a project with a tag that the reader sees, in order. */
export async function listTagged(
  db: Db,
  { limit, ...query }: TagQuery & { limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (${tagged(query)}) found order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns whether an entry of a project that the reader sees has a tag. */
export async function isTagUsed(db: Db, query: TagQuery): Promise<boolean> {
  const { rows } = await sql`select from (${tagged(query)}) found limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the tags of a project by name, and how many published entries have each. */
export async function listProjectTags(
  db: Db,
  projectId: string,
  limit: number,
): Promise<{ name: string; entries: number }[]> {
  const { rows } = await sql<{ name: string; entries: number }>`
    select t.tag as name, sum(t.entry_count)::integer as entries
    from live_milestones m join milestone_tags t on t.milestone_id = m.id
    where m.project_id = ${projectId}
    group by t.tag order by sort_key(t.tag), t.tag limit ${limit}`.execute(db)
  return rows
}

/** An entry whose tags are about to change, without its text. `bytes`: the size of its text. */
export type TaggedEntry = {
  id: string
  tags: string[]
  state: 'draft' | 'published'
  version: number
  bytes: number
}

/** Returns those of these entries that are in a project and that the reader sees, by id. */
export async function listTaggedEntries(
  db: Db,
  { ids, projectId, reader }: { ids: string[]; projectId: string; reader: string },
): Promise<TaggedEntry[]> {
  const { rows } = await sql<TaggedEntry>`
    select e.id, e.tags, e.state, e.version,
      octet_length(e.title) + octet_length(e.content) + octet_length(array_to_string(e.tags, '')) as bytes
    from entries_and_drafts e join live_milestones m on m.id = e.milestone_id
    where e.id = any(${ids}::uuid[]) and m.project_id = ${projectId}
      and (e.state = 'published' or e.author_id = ${reader})
    order by e.id`.execute(db)
  return rows
}

/** Gives entries other tags and their next version, and keeps their renderings. `added`: the bytes that their histories get. */
export async function updateTags(
  trx: Transaction<Schema>,
  entries: readonly { id: string; tags: string[]; added: number }[],
  now: Date,
): Promise<void> {
  await sql`
    update entries e set tags = v.tags, version = version + 1, history_bytes = history_bytes + v.added,
      updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as v (id uuid, tags text[], added bigint)
    where e.id = v.id`.execute(trx)
  await sql`
    update entry_renderings r set entry_version = e.version from entries_and_drafts e
    where e.id = any(${entries.map(({ id }) => id)}::uuid[]) and r.entry_id = e.id and r.entry_version = e.version - 1`.execute(
    trx,
  )
}
