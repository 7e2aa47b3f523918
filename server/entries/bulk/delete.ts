import { v7 as uuidv7 } from 'uuid'
import type { DeletedEntries } from '#contract/bulk-changes.ts'
import { changeProjects } from '#server/change-project.ts'
import type { AppDeps } from '#server/deps.ts'
import { listDeletable } from '#server/entries/saving-store.ts'
import { requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import type { Change } from '#server/platform/changes/changes.ts'
import { moveToTrash } from '#server/trash/mark.ts'
import { findMade, recordBulkChange } from './record.ts'

/**
 * Moves entries of a project to the trash, each with a deletion of its own. Throws `not_found` if one of them is not in the project, or
 * `forbidden`; then none is deleted.
 */
export function deleteEntries(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  { entries }: DeletedEntries,
  change: Change,
): Promise<{ deleted: number; undo: string | null }> {
  const refs = [{ projectId }] as const
  return changeProjects(deps, caller, 'content:edit', refs, async (trx, [access], publish) => {
    const made = await findMade(trx, caller, access.projectId, change)
    if (made) return { deleted: made.entries, undo: made.id }
    const ids = [...new Set(entries.map((id) => id.toLowerCase()))].toSorted()
    const found = await listDeletable(trx, ids, access.projectId, caller.userId)
    if (found.length < ids.length) throw notFound('Entry')
    const isSeen = found.some(({ state }) => state === 'published')
    if (isSeen) requirePublishing(caller, access)
    const now = deps.clock()
    const formers = []
    for (const { id: entryId, milestoneId, title, state } of found) {
      const subject = state === 'published' ? title : null
      const deletion = uuidv7()
      const mark = { id: deletion, subject, deletedBy: caller.userId, now }
      await moveToTrash(trx, { projectId: access.projectId, milestoneId, entryId }, mark)
      formers.push({ entryId, deletion })
    }
    const kept = { projectId: access.projectId, madeBy: caller.userId, formers, now } as const
    const undo = await recordBulkChange(trx, change, { ...kept, kind: 'entries_deleted', details: {} })
    publish(isSeen ? { project: access.projectId } : { person: caller.userId, project: access.projectId })
    return { deleted: found.length, undo }
  })
}
