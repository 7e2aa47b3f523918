import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { EmailChangeHook, Registrant, TakeoverHook } from '#server/identity/identity.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import { recordMember } from './activity.ts'
import { emailProof, proofOf } from './invitation-proof.ts'
import { hasOpenInvitation, listOpenAt, lockEmail } from './invitation-store.ts'
import {
  type ChangeContext,
  notifyInvited,
  notifyRemoved,
  notifyTakenOver,
  notifyWithdrawn,
  revokeInvitation,
} from './notifications.ts'
import { deleteCollaboratorsOf, lockProjectIfFree, lockProjectsOf } from './ownership-store.ts'
import { deleteCollaborator, findMember, listCollaboratorsOf } from './store.ts'

type Deps = Pick<AppDeps, 'events' | 'sendsMail' | 'clock'>

/**
 * Claims the pending invitations to an email for an account, in the transaction that verifies the email. An unverified
 * email claims none, because anybody can register any email.
 */
export function createClaimHook({ events, clock, ...deps }: Deps): EmailChangeHook {
  return async (trx, { userId, email, emailVerified }) => {
    const pending: AppEvent[] = []
    const afterwards = () => events.publish(...pending)
    if (emailProof(deps, { email_verified: emailVerified }) !== 'proven') return afterwards
    const context = { trx, publish: (...more: AppEvent[]) => void pending.push(...more), now: clock() }
    await lockEmail(trx, email)
    for (const row of await listOpenAt(trx, email, { userId, now: context.now })) {
      const { id, token_hash: tokenHash, name } = row
      if (tokenHash === null) continue
      const project = { id: row.project_id, title: row.title }
      if (await findMember(trx, project.id, userId)) {
        await endInvitation(context, { id, project_id: project.id })
        continue
      }
      await notifyInvited(context, userId, { id, tokenHash, project, name })
    }
    return afterwards
  }
}

/**
 * Ends the invitation of a member who was invited at the address to which they have changed now. Locks are taken in another order
 * here than by a change of the project, so it does not wait for one: the invitation stays, and nobody can accept it.
 */
async function endInvitation(context: ChangeContext, row: { id: string; project_id: string }): Promise<void> {
  if (!(await lockProjectIfFree(context.trx, row.project_id))) return
  await revokeInvitation(context, row)
  await deleteCollaborator(context.trx, row.id)
  context.publish({ project: row.project_id })
}

/**
 * Whether somebody without an account is invited to a project: by the link of an invitation to their email or, where a
 * trusted issuer has verified the email, by any invitation to it.
 */
export function isInvitedToProject(db: Db, registrant: Registrant, now: Date): Promise<boolean> {
  return hasOpenInvitation(db, proofOf(registrant), now)
}

/**
 * Removes all collaborators from the projects of an account whose email was proven to belong to somebody other than the
 * person who registered it (docs/decisions/issuers.md), and notifies the owner, in the same transaction.
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
    if (removed.length > 0) await notifyTakenOver(context, ownerId, removed)
    return () => events.publish(...pending)
  }
}

/** Removes the members of a project and its invitations; returns the emails of the people who were removed. */
async function removeEverybody(
  context: ChangeContext,
  project: { id: string; title: string },
): Promise<string[]> {
  const rows = await listCollaboratorsOf(context.trx, project.id)
  const invited = new Map<string, string[]>()
  for (const row of rows)
    if (row.status === 'pending') invited.set(row.id, await revokeInvitation(context, row))
  await deleteCollaboratorsOf(context.trx, project.id)
  for (const row of rows) {
    for (const userId of invited.get(row.id) ?? []) await notifyWithdrawn(context, userId, project)
    if (row.status !== 'accepted' || row.user_id === null) continue
    await recordMember(context, 'member_removed', row, { actorId: null })
    await notifyRemoved(context, row.user_id, project)
    context.publish({ person: row.user_id, project: project.id })
  }
  if (rows.length > 0) context.publish({ project: project.id })
  return rows.filter(({ status }) => status !== 'declined').map(({ email }) => email)
}
