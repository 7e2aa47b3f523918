import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { recordCover } from '#server/files/uses.ts'
import { idTaken } from '#server/platform/changes/changes.ts'
import { indexChanges } from '#server/search/indexing.ts'
import { type ImportedProject, insertImportedProject, setCover } from './importing-store.ts'

export { removeImportedProjects } from './importing-store.ts'

/** Adds a project of a person as it was elsewhere, without an activity: nobody is told. Throws `conflict` for too many, and `id_taken`. */
export async function importProject(
  { quotas }: Pick<AppDeps, 'quotas'>,
  trx: Transaction<Schema>,
  userId: string,
  project: ImportedProject,
): Promise<void> {
  await quotas.requireProject(trx, { userId })
  if (!(await insertImportedProject(trx, userId, project))) throw idTaken()
  await quotas.requireWithin(trx, { userId }, project.id, 0)
  await indexChanges(trx)
}

/** Gives an imported project its cover; null for none. The project keeps its dates. Throws `invalid` for a file that is no picture of it. */
export async function coverImported(
  trx: Transaction<Schema>,
  writing: { projectId: string; writerId: string },
  coverFile: string | null,
): Promise<void> {
  const { projectId } = writing
  await setCover(trx, projectId, coverFile)
  await recordCover(trx, { projectId }, coverFile, writing)
}
