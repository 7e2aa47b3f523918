import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { insertUsesOfVersions, type VersionUse } from './importing-store.ts'
import { lockFiles } from './use-store.ts'

export { dateImported } from './importing-store.ts'
export { giveUpFiles } from './removal-store.ts'

/** Records the files that imported versions of entries use, among those that the import has stored in their project. */
export async function useFilesInVersions(
  trx: Transaction<Schema>,
  of: { projectId: string; uploaderId: string },
  uses: VersionUse[],
): Promise<void> {
  if (uses.length === 0) return
  await lockFiles(trx, null, [...new Set(uses.map(({ fileId }) => fileId))])
  await insertUsesOfVersions(trx, of, uses)
}
