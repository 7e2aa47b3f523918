import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { idTaken } from '#server/platform/changes/changes.ts'
import { type ImportedMilestone, insertImportedMilestone } from './importing-store.ts'

export { removeImportedMilestones } from './importing-store.ts'

/** Adds a milestone as it was elsewhere, the last of its project, without an activity. Throws `conflict` for too many, and `id_taken`. */
export async function importMilestone(
  { quotas }: Pick<AppDeps, 'quotas'>,
  trx: Transaction<Schema>,
  userId: string,
  milestone: ImportedMilestone,
): Promise<void> {
  await quotas.requireMilestone(trx, milestone.projectId)
  if (!(await insertImportedMilestone(trx, userId, milestone))) throw idTaken()
}
