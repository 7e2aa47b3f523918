import type { TakeoverHook } from '#server/identity/identity.ts'
import type { Parts } from '#server/parts.ts'
import type { News } from '#server/platform/events/news.ts'
import { type Telling, tellRemoved, tellTakenOver, tellWithdrawn } from './invitation-notifications.ts'
import { closeInvitation } from './revoke.ts'
import { deleteCollaboratorsOf, listCollaboratorsOf, lockProjectsOf } from './store.ts'

/**
 * Removes everybody from the projects of an account whose address was proven to be somebody else's than whoever made
 * it (docs/decisions/0035), and tells its owner whom, in that transaction.
 */
export function createTakeoverHook({ events, clock }: Pick<Parts, 'events' | 'clock'>): TakeoverHook {
  return async (trx, ownerId) => {
    const news: News[] = []
    const telling = { trx, tell: (...more: News[]) => void news.push(...more), now: clock() }
    const removed: { email: string; title: string }[] = []
    for (const project of await lockProjectsOf(trx, ownerId)) {
      const emails = await removeEverybody(telling, project)
      removed.push(...emails.map((email) => ({ email, title: project.title })))
    }
    if (removed.length > 0) await tellTakenOver(telling, ownerId, removed)
    return () => events.tell(...news)
  }
}

/** Removes the members of a project and its invitations; returns the addresses of those who were told. */
async function removeEverybody(telling: Telling, project: { id: string; title: string }): Promise<string[]> {
  const rows = await listCollaboratorsOf(telling.trx, project.id)
  const invited = new Map<string, string[]>()
  for (const row of rows)
    if (row.status === 'pending') invited.set(row.id, await closeInvitation(telling, row))
  await deleteCollaboratorsOf(telling.trx, project.id)
  for (const row of rows) {
    for (const userId of invited.get(row.id) ?? []) await tellWithdrawn(telling, userId, project)
    if (row.status !== 'accepted' || row.user_id === null) continue
    await tellRemoved(telling, row.user_id, project)
    telling.tell({ person: row.user_id, project: project.id })
  }
  if (rows.length > 0) telling.tell({ project: project.id })
  return rows.filter(({ status }) => status !== 'declined').map(({ email }) => email)
}
