import type { Transaction } from 'kysely'
import type { NotificationType } from '#contract/notifications.ts'
import type { Schema } from '#server/database/rows.ts'
import { notify } from '#server/notifications/service.ts'
import type { Events } from '#server/platform/events/events.ts'
import { insertNotice } from './notice-store.ts'
import { shownName } from './present.ts'
import { findMember } from './store.ts'

/** The transaction in which people are told, and how the news of it gets out. */
export type Telling = { trx: Transaction<Schema>; tell: Events['tell']; now: Date }

/** What happened to somebody in a project. */
type Event = { project: { id: string; title: string }; name: string | null }

export type InvitationNotice = Event & { id: string; token: string; tokenHash: string }

/** Tells somebody that they are invited, once for each invitation however often it is called. */
export async function tellInvited(
  { trx, tell, now }: Telling,
  userId: string,
  { id, token, tokenHash, project, name }: InvitationNotice,
): Promise<void> {
  if (!(await insertNotice(trx, { collaboratorId: id, userId, tokenHash }))) return
  await notify(trx, {
    userId,
    type: 'collaboration_invite',
    title: 'You are invited to a project',
    message: `${shownName(name)} invited you to “${project.title}”`,
    data: { inviteToken: token, projectId: project.id },
    now,
  })
  tell({ person: userId })
}

/** Tells the inviter and the owner of an answer, each once. An inviter who has left the project learns nothing of it. */
export async function tellAnswer(
  telling: Telling,
  answer: 'accepted' | 'declined',
  { project, name, ownerId, inviterId, by }: Event & Concerned,
): Promise<void> {
  const concerned = new Set([ownerId])
  if (inviterId !== null && (await findMember(telling.trx, project.id, inviterId))) concerned.add(inviterId)
  if (by !== null) concerned.delete(by)
  for (const userId of concerned)
    await send(telling, userId, project.id, {
      type: `collaboration_${answer}`,
      title: `Invitation ${answer}`,
      message: `${name} ${answer} the invitation to “${project.title}”`,
    })
}

type Concerned = { ownerId: string; inviterId: string | null; by: string | null; name: string }

/** Tells a member of their new role. */
export async function tellRole(telling: Telling, userId: string, { project, role }: Roles): Promise<void> {
  await send(telling, userId, project.id, {
    type: 'role_updated',
    title: 'Your role has changed',
    message: `You are now ${role === 'viewer' ? 'a' : 'an'} ${role} of “${project.title}”`,
  })
}

type Roles = Pick<Event, 'project'> & { role: string }

/** Tells somebody that they are no longer a member, or no longer invited. */
export async function tellRemoved(
  telling: Telling,
  userId: string,
  { project, was }: Pick<Event, 'project'> & { was: 'member' | 'invited' },
): Promise<void> {
  await send(telling, userId, project.id, {
    type: 'collaboration_removed',
    title: was === 'member' ? 'You were removed from a project' : 'An invitation was withdrawn',
    message:
      was === 'member'
        ? `You no longer collaborate on “${project.title}”`
        : `The invitation to “${project.title}” was withdrawn`,
  })
}

/** Tells the owner that somebody left. */
export async function tellLeft(telling: Telling, ownerId: string, { project, name }: Event): Promise<void> {
  await send(telling, ownerId, project.id, {
    type: 'other',
    title: 'A collaborator left',
    message: `${shownName(name)} left ${project.title}`,
  })
}

type News = { type: NotificationType; title: string; message: string }

async function send({ trx, tell, now }: Telling, userId: string, projectId: string, news: News) {
  await notify(trx, { ...news, userId, data: { projectId }, now })
  tell({ person: userId })
}
