import { sql, type Transaction } from 'kysely'
import type { Visibility } from '#contract/projects.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { coverChoice } from '#server/files/present.ts'
import { recordCover } from '#server/files/uses.ts'
import { idTaken } from '#server/platform/changes/changes.ts'
import { indexChanges } from '#server/search/indexing.ts'

type ImportedProject = {
  id: string
  title: string
  description: string
  visibility: Visibility
  createdAt: Date
  updatedAt: Date
  version: number
}

/** Adds a project of a person as it was elsewhere, without an activity: nobody is told. Throws `conflict` for too many, and `id_taken`. */
export async function importProject(
  { quotas }: Pick<AppDeps, 'quotas'>,
  trx: Transaction<Schema>,
  userId: string,
  { id, title, description, visibility, createdAt, updatedAt, version }: ImportedProject,
): Promise<void> {
  await quotas.requireProject(trx, { userId })
  const { rows } = await sql`
    insert into projects (id, owner_id, created_by, title, description, visibility, version, created_at, updated_at)
    values (${id}, ${userId}, ${userId}, ${title}, ${description}, ${visibility}, ${version}, ${createdAt}, ${updatedAt})
    on conflict (id) do nothing returning id`.execute(trx)
  if (rows.length === 0) throw idTaken()
  await quotas.requireWithin(trx, { userId }, id, 0)
  await indexChanges(trx)
}

/** Gives an imported project its cover; null for none. The project keeps its dates. Throws `invalid` for a file that is no picture of it. */
export async function coverImported(
  trx: Transaction<Schema>,
  writing: { projectId: string; writerId: string },
  coverFile: string | null,
): Promise<void> {
  const { projectId } = writing
  await trx
    .updateTable('projects')
    .set({ ...coverChoice(coverFile) })
    .where('id', '=', projectId)
    .execute()
  await recordCover(trx, { projectId }, coverFile, writing)
}

/** Deletes a project that has no milestones any more, unless it was changed since; returns whether it is gone. */
export async function removeImportedProject(trx: Transaction<Schema>, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from projects p where id = ${id} and deleted_at is null
      and not exists (select from milestones m where m.project_id = p.id) returning id`.execute(trx)
  return rows.length > 0
}
