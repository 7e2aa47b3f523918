import { sql, type Transaction } from 'kysely'
import type { Visibility } from '#contract/projects.ts'
import type { Schema } from '#server/database/rows.ts'
import { coverChoice } from '#server/files/present.ts'

export type ImportedProject = {
  id: string
  title: string
  description: string
  visibility: Visibility
  createdAt: Date
  updatedAt: Date
  version: number
}

/** Adds a project; returns false if the id is taken. */
export async function insertImportedProject(
  trx: Transaction<Schema>,
  userId: string,
  { id, title, description, visibility, createdAt, updatedAt, version }: ImportedProject,
): Promise<boolean> {
  const { rows } = await sql`
    insert into projects (id, owner_id, created_by, title, description, visibility, version, created_at, updated_at)
    values (${id}, ${userId}, ${userId}, ${title}, ${description}, ${visibility}, ${version}, ${createdAt}, ${updatedAt})
    on conflict (id) do nothing returning id`.execute(trx)
  return rows.length > 0
}

export async function setCover(
  trx: Transaction<Schema>,
  projectId: string,
  coverFile: string | null,
): Promise<void> {
  await trx
    .updateTable('projects')
    .set({ ...coverChoice(coverFile) })
    .where('id', '=', projectId)
    .execute()
}

/** Deletes those of these projects that have no milestones any more, and returns them. */
export async function removeImportedProjects(trx: Transaction<Schema>, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from projects p where id = any(${ids}::uuid[]) and deleted_at is null
      and not exists (select from milestones m where m.project_id = p.id) returning id`.execute(trx)
  return rows.map(({ id }) => id)
}
