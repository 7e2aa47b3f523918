import type { Transaction } from 'kysely'
import type { NotificationType } from '#contract/notifications.ts'
import { isolateBidi } from '#contract/parts/characters.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { Schema } from '#server/database/rows.ts'
import { shownName } from '#server/files/people.ts'
import { notify, unlinkInvitation } from '#server/notifications/notify.ts'
import type { Events } from '#server/platform/events/events.ts'
import { recordNotified } from './invitation-store.ts'
import { findMember, type InvitationRecord, listNotified } from './store.ts'

/** The transaction of a change, and the function that publishes its events once it commits. */
export type ChangeContext = { trx: Transaction<Schema>; publish: Events['publish']; now: Date }

type Project = { id: string; title: string }

/** An open invitation; `name` is the inviter's. */
type Invited = { id: string; tokenHash: string; project: Project; name: string | null }

/** Notifies a person of an invitation; further calls for the same invitation have no effect. */
export async function notifyInvited(context: ChangeContext, userId: string, invited: Invited): Promise<void> {
  const { id, tokenHash, project, name } = invited
  if (!(await recordNotified(context.trx, { collaboratorId: id, userId, tokenHash }))) return
  await send(context, userId, project, {
    type: 'collaboration_invite',
    title: 'You are invited to a project',
    message: `${isolateBidi(shownName(name))} invited you to “${isolateBidi(project.title)}”`,
    collaboratorId: id,
  })
  context.publish({ person: userId, project: project.id })
}

/**
 * Unlinks an invitation from its notifications in the transaction that invalidates its token, and marks those of the person
 * who answered it as read. Returns the users who were notified of the invitation.
 */
export async function revokeInvitation(
  { trx, publish }: Pick<ChangeContext, 'trx' | 'publish'>,
  { id, project_id }: { id: string; project_id: string },
  answererId: string | null = null,
): Promise<string[]> {
  await unlinkInvitation(trx, id, answererId)
  const notified = await listNotified(trx, id)
  for (const person of notified) publish({ person }, { person, project: project_id })
  return notified
}

/**
 * Notifies the inviter and the owner once each of the response to an invitation. An inviter who has left the project is
 * not notified.
 */
export async function notifyAnswered(
  context: ChangeContext,
  answer: 'accepted' | 'declined',
  invitation: InvitationRecord,
  { userId, name }: { userId: string | null; name: string },
): Promise<void> {
  const { project_id: id, project_title: title, owner_id, inviter_id } = invitation
  const concerned = new Set([owner_id])
  if (inviter_id !== null && (await findMember(context.trx, id, inviter_id))) concerned.add(inviter_id)
  if (userId !== null) concerned.delete(userId)
  for (const person of concerned)
    await send(
      context,
      person,
      { id, title },
      {
        type: `collaboration_${answer}`,
        title: `Invitation ${answer}`,
        message: `${isolateBidi(name)} ${answer} the invitation to “${isolateBidi(title)}”`,
      },
    )
}

/** Notifies a member of their new role. */
export async function notifyRole(
  context: ChangeContext,
  userId: string,
  project: Project,
  role: CollaboratorRole,
): Promise<void> {
  await send(context, userId, project, {
    type: 'role_updated',
    title: 'Your role has changed',
    message: `You are now ${role === 'viewer' ? 'a viewer' : `an ${role}`} of “${isolateBidi(project.title)}”`,
  })
}

/** Notifies a person that they are no longer a member. */
export async function notifyRemoved(context: ChangeContext, userId: string, project: Project): Promise<void> {
  await send(context, userId, project, {
    type: 'collaboration_removed',
    title: 'You were removed from a project',
    message: `You no longer collaborate on “${isolateBidi(project.title)}”`,
  })
}

/** Notifies a person that they are no longer invited. */
export async function notifyWithdrawn(
  context: ChangeContext,
  userId: string,
  project: Project,
): Promise<void> {
  await send(context, userId, project, {
    type: 'collaboration_removed',
    title: 'An invitation was withdrawn',
    message: `The invitation to “${isolateBidi(project.title)}” was withdrawn`,
  })
}

/** Notifies the owner that a member left. */
export async function notifyLeft(
  context: ChangeContext,
  ownerId: string,
  project: Project,
  name: string | null,
): Promise<void> {
  await send(context, ownerId, project, {
    type: 'other',
    title: 'A collaborator left',
    message: `${isolateBidi(shownName(name))} left “${isolateBidi(project.title)}”`,
  })
}

/** Notifies a member that they are now the owner of a project. */
export async function notifyTransferred(
  context: ChangeContext,
  userId: string,
  project: Project,
  name: string | null,
): Promise<void> {
  await send(context, userId, project, {
    type: 'other',
    title: 'A project is yours now',
    message: `${isolateBidi(shownName(name))} transferred “${isolateBidi(project.title)}” to you`,
  })
}

/** The maximum number of removed people named in a message. */
const NAMED_MAX = 50

/** Notifies the owner of an account that was taken over who was removed from its projects, even if such notifications are muted. */
export async function notifyTakenOver(
  { trx, publish, now }: ChangeContext,
  ownerId: string,
  removed: { email: string; title: string }[],
): Promise<void> {
  const named = removed
    .slice(0, NAMED_MAX)
    .map(({ email, title }) => `${isolateBidi(email)} (“${isolateBidi(title)}”)`)
  const others = removed.length - named.length
  await notify(
    trx,
    {
      userId: ownerId,
      type: 'other',
      title: 'Your projects are no longer shared',
      message: [
        'Nobody had verified the address of this account until you signed in, so somebody else may have shared its projects.',
        `These people and invitations were removed: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`,
        'Invite the people you know again.',
      ].join(' '),
      data: {},
      now,
    },
    { always: true },
  )
  publish({ person: ownerId })
}

type Content = { type: NotificationType; title: string; message: string; collaboratorId?: string }

async function send(
  { trx, publish, now }: ChangeContext,
  userId: string,
  { id: projectId }: Project,
  content: Content,
) {
  const { collaboratorId, ...rest } = content
  const data = collaboratorId === undefined ? { projectId } : { collaboratorId, projectId }
  await notify(trx, { ...rest, userId, data, now })
  publish({ person: userId })
}
