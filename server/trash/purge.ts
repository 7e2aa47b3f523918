import { DAY_MS } from '#contract/parts/durations.ts'
import { revokeInvitations } from '#server/collaborators/invitation-links.ts'
import type { ChangeContext } from '#server/collaborators/notifications.ts'
import type { AppDeps } from '#server/deps.ts'
import { lockForChange } from '#server/permissions/access.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { transact } from '#server/platform/transact.ts'
import { moveToTrash } from './mark.ts'
import { deleteRow, deleteSomeEntries, findDue, findProjectDeletion, lockForPurge } from './store.ts'

const BATCH = 500
const PAUSE_MS = 60_000

type Deps = Pick<AppDeps, 'db' | 'events' | 'trashDays' | 'clock'>

/** Returns the time before which deletions have exceeded their retention in the trash. */
export const retentionCutoff = ({ trashDays, clock }: Pick<Deps, 'trashDays' | 'clock'>) =>
  new Date(clock().getTime() - trashDays * DAY_MS)

/**
 * Permanently deletes as much of a deletion's resource as one transaction should; the scheduled purge deletes the rest.
 * Files and images are removed later, once nothing uses them. The project must be locked.
 */
export async function purgeSome({ trx, publish, now }: ChangeContext, deletionId: string): Promise<void> {
  const deletion = await lockForPurge(trx, deletionId, now)
  if (!deletion) return
  const { project_id: project, milestone_id, entry_id, owner_id, deleted_at } = deletion
  if (deleted_at === null) publish({ project })
  else publish({ person: owner_id, project })
  if (entry_id === null && (await deleteSomeEntries(trx, deletion, BATCH)) === BATCH) return
  if (milestone_id === null) await revokeInvitations({ trx, publish }, project)
  await deleteRow(trx, deletion)
}

/**
 * Permanently deletes deletions that have exceeded their retention in the trash, until `stop` is aborted. Concurrent
 * processes take turns.
 */
export async function purgeTrash(deps: Deps, stop?: AbortSignal): Promise<void> {
  for (;;) {
    const due = await findDue(deps.db, retentionCutoff(deps))
    if (!due) return
    await transact(deps, async (trx, publish) => {
      await lockForChange(trx, due.project_id)
      await purgeSome({ trx, publish, now: deps.clock() }, due.id)
    })
    if (stop?.aborted) return
  }
}

/** Permanently deletes a project, whether or not it is in the trash. Aborting `stop` leaves the rest of it in the trash. */
export async function purgeProject(
  deps: Deps,
  { projectId, deletedBy }: { projectId: string; deletedBy: string },
  stop?: AbortSignal,
): Promise<void> {
  for (;;) {
    const isLeft = await transact(deps, async (trx, publish) => {
      await lockForChange(trx, projectId)
      const project = await findProjectDeletion(trx, projectId)
      if (!project) return false
      const now = deps.clock()
      const deletion =
        project.deletion_id ?? (await moveToTrash(trx, { projectId }, { subject: null, deletedBy, now }))
      await purgeSome({ trx, publish, now }, deletion)
      return true
    })
    if (!isLeft || stop?.aborted) return
  }
}

/** Schedules the purge of the trash. */
export const trashPurge = (deps: Deps): ScheduledTask => ({
  name: 'purge of the trash',
  everyMs: PAUSE_MS,
  run: (stop) => purgeTrash(deps, stop),
})
