import { sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'

type TagQuery = { projectId: string; tag: string; reader: string }

/** Published entries are found by the index of tags, drafts of the reader by that of drafts. */
const tagged = ({ projectId, tag, reader }: TagQuery) => sql`
  select t.entry_id as id, m.id as milestone_id, false as is_draft
  from live_milestones m join entry_tags t on t.milestone_id = m.id
  where m.project_id = ${projectId} and t.tag = ${tag}
  union all
  select e.id, m.id, true from live_milestones m join entries_and_drafts e on e.milestone_id = m.id
  where m.project_id = ${projectId} and e.state = 'draft' and e.author_id = ${reader} and ${tag} = any(e.tags)`

/** Returns the entries of a project with a tag that the reader sees, by id. */
export async function listTagged(
  db: Db,
  { limit, ...query }: TagQuery & { limit: number },
): Promise<{ id: string; milestoneId: string; isDraft: boolean }[]> {
  const { rows } = await sql<{ id: string; milestoneId: string; isDraft: boolean }>`
    select id, milestone_id as "milestoneId", is_draft as "isDraft" from (${tagged(query)}) found
    order by id limit ${limit}`.execute(db)
  return rows
}

/** Returns whether an entry of a project that the reader sees has a tag. */
export async function isTagUsed(db: Db, query: TagQuery): Promise<boolean> {
  const { rows } = await sql`select from (${tagged(query)}) found limit 1`.execute(db)
  return rows.length > 0
}
