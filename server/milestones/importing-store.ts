import { sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

export type ImportedMilestone = {
  id: string
  projectId: string
  title: string
  description: string
  completed: boolean
  startsOn: string | null
  dueOn: string | null
  reachedAt: Date | null
  createdAt: Date
  updatedAt: Date
  version: number
}

/** Adds a milestone, the last of its project; returns false if the id is taken. */
export async function insertImportedMilestone(
  trx: Transaction<Schema>,
  userId: string,
  milestone: ImportedMilestone,
): Promise<boolean> {
  const { id, projectId, title, description, completed, startsOn, dueOn, reachedAt } = milestone
  const { createdAt, updatedAt, version } = milestone
  const { rows } = await sql`
    insert into milestones (id, project_id, created_by, title, description, completed, starts_on, due_on, reached_at, version,
      created_at, updated_at)
    values (${id}, ${projectId}, ${userId}, ${title}, ${description}, ${completed}, ${startsOn}, ${dueOn}, ${reachedAt}, ${version},
      ${createdAt}, ${updatedAt})
    on conflict (id) do nothing returning id`.execute(trx)
  return rows.length > 0
}

/** Deletes those of these milestones that have no entries any more, and returns them. */
export async function removeImportedMilestones(trx: Transaction<Schema>, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from milestones m where id = any(${ids}::uuid[]) and deleted_at is null
      and not exists (select from entries e where e.milestone_id = m.id) returning id`.execute(trx)
  return rows.map(({ id }) => id)
}
