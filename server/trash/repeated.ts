import type { Db } from '#server/database/rows.ts'
import { isGranted } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { findDeletionBy } from './store.ts'

/** Returns whether the caller has deleted, with this id, what the parameters of a path name, and it is still in the trash. */
export async function hasDeleted(
  db: Db,
  caller: Caller,
  id: string,
  params: { readonly [name: string]: unknown },
): Promise<boolean> {
  const deletion = await findDeletionBy(db, id, caller.userId)
  if (!deletion || !isGranted(caller, deletion.project_id)) return false
  const { project_id, milestone_id, entry_id } = deletion
  if (entry_id !== null) return params.entryId === entry_id
  return milestone_id === null ? params.projectId === project_id : params.milestoneId === milestone_id
}
