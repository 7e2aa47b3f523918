import type { AppDeps } from '#server/deps.ts'
import type { TakeoverHook } from '#server/identity/identity.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import { type ChangeContext, tellRemoved, tellTakenOver, tellWithdrawn } from './invitation-notifications.ts'
import { closeInvitation } from './revoke.ts'
import { deleteCollaboratorsOf, listCollaboratorsOf, lockProjectsOf } from './store.ts'

/**
 * Removes everybody from the projects of an account whose address was proven to be somebody else's than whoever made
 * it (docs/decisions/0035), and tells its owner whom, in that transaction.
 */
export function createTakeoverHook({ events, clock }: Pick<AppDeps, 'events' | 'clock'>): TakeoverHook {
  return async (trx, ownerId) => {
    const pending: AppEvent[] = []
    const context = { trx, publish: (...more: AppEvent[]) => void pending.push(...more), now: clock() }
    const removed: { email: string; title: string }[] = []
    for (const project of await lockProjectsOf(trx, ownerId)) {
      const emails = await removeEverybody(context, project)
      removed.push(...emails.map((email) => ({ email, title: project.title })))
    }
    if (removed.length > 0) await tellTakenOver(context, ownerId, removed)
    return () => events.publish(...pending)
  }
}

/** Removes the members of a project and its invitations; returns the addresses of those who were told. */
async function removeEverybody(
  context: ChangeContext,
  project: { id: string; title: string },
): Promise<string[]> {
  const rows = await listCollaboratorsOf(context.trx, project.id)
  const invited = new Map<string, string[]>()
  for (const row of rows)
    if (row.status === 'pending') invited.set(row.id, await closeInvitation(context, row))
  await deleteCollaboratorsOf(context.trx, project.id)
  for (const row of rows) {
    for (const userId of invited.get(row.id) ?? []) await tellWithdrawn(context, userId, project)
    if (row.status !== 'accepted' || row.user_id === null) continue
    await tellRemoved(context, row.user_id, project)
    context.publish({ person: row.user_id, project: project.id })
  }
  if (rows.length > 0) context.publish({ project: project.id })
  return rows.filter(({ status }) => status !== 'declined').map(({ email }) => email)
}
