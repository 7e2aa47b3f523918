import type { Acceptance, InvitationDetails } from '#contract/collaborators.ts'
import type { AppDeps } from '#server/deps.ts'
import { findReadyFile, type Readable } from '#server/files/media.ts'
import { shownName } from '#server/files/people.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, conflict, notFound, notSignedIn } from '#server/platform/api/errors.ts'
import type { Change } from '#server/platform/changes/changes.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { transact } from '#server/platform/transact.ts'
import { recordInvitation, recordMember } from './activity.ts'
import { emailProof, isOpen, isSameEmail } from './invitation-proof.ts'
import { listPendingFor } from './invitation-store.ts'
import { readInvitedProject } from './invited-project.ts'
import { invitedProject } from './invited-project-store.ts'
import { type ChangeContext, notifyAnswered, revokeInvitation } from './notifications.ts'
import { presentCollaborator } from './present.ts'
import {
  acceptRow,
  declineRow,
  deleteCollaborator,
  findByHash,
  findMember,
  findPerson,
  hasDeclined,
  type InvitationRecord,
  isShown,
  lockByHash,
  type PersonRecord,
  unlinkDeclined,
} from './store.ts'

/** Returns the project and role of an invitation, without side effects. Throws `not_found` or `expired`. */
export async function readInvitation(deps: AppDeps, token: string): Promise<InvitationDetails> {
  const invitation = await findOpenInvitation(deps, token)
  const project = await readInvitedProject(deps.db, { projectId: invitation.project_id, token })
  if (!project) throw invalidLink()
  return {
    projectTitle: invitation.project_title,
    projectDescription: invitation.project_description,
    role: invitation.role,
    inviter: { name: shownName(invitation.inviter_name) },
    project,
    requiresAuth: true,
  }
}

/** Returns the file that an open invitation shows as the cover of its project. Throws `not_found` or `expired`. */
export async function findInvitedCover(deps: AppDeps, token: string): Promise<Readable['file']> {
  const { project_id: projectId } = await findOpenInvitation(deps, token)
  const row = await invitedProject.first(deps.db, { projectId })
  if (!row?.cover) throw notFound('Cover')
  return findReadyFile(deps.db, row.cover.id)
}

async function findOpenInvitation({ db, clock }: AppDeps, token: string): Promise<InvitationRecord> {
  const invitation = await findByHash(db, hashOfToken(token, 'hex'))
  if (invitation?.status !== 'pending') throw invalidLink()
  if (!isOpen(invitation, clock())) throw expiredLink()
  return invitation
}

/**
 * Makes the caller a member. Accepting again has no effect. Throws `not_found`, `expired`, `wrong_account`,
 * `unverified_address`, or `conflict` if they are already in the project.
 */
export function acceptInvitation(deps: AppDeps, caller: Caller, token: string): Promise<Acceptance> {
  const now = deps.clock()
  const { userId } = caller
  return transact(deps, async (trx, publish) => {
    const invitation = await lockInvitation({ trx, publish, now }, token)
    if (invitation.status === 'accepted') {
      if (invitation.user_id !== userId) throw invalidLink()
      return accepted(invitation, now)
    }
    if (!isOpen(invitation, now)) throw expiredLink()
    const person = await requireInvitee(deps, trx, caller, invitation)
    if (invitation.owner_id === userId) throw conflict('You own this project already')
    if (await findMember(trx, invitation.project_id, userId))
      throw conflict('You are a collaborator of this project already')

    await unlinkDeclined(trx, invitation.project_id, userId)
    await acceptRow(trx, { id: invitation.id, userId, now })
    await endInvitationsOf(deps, { trx, publish, now }, invitation.project_id, person)
    const member = { ...invitation, user_id: userId, invitee_name: person.name }
    const by = { actorId: userId, details: { role: invitation.role } }
    await recordMember({ trx, now }, 'member_joined', member, by)
    await finish({ trx, publish, now }, 'accepted', invitation, person)
    return accepted((await findByHash(trx, hashOfToken(token, 'hex'))) ?? invitation, now)
  })
}

/**
 * Declines an invitation for anybody with its token; a caller who is signed in must be the invitee.
 * Throws `not_found`, `expired`, `wrong_account` or `unverified_address`.
 */
export async function declineInvitation(
  deps: AppDeps,
  caller: Caller | null,
  token: string,
  { change }: Pick<Change, 'change'>,
): Promise<void> {
  const now = deps.clock()
  await transact(deps, async (trx, publish) => {
    const invitation = await lockByHash(trx, hashOfToken(token, 'hex'))
    if (!invitation && caller && change !== null && (await hasDeclined(trx, caller.userId, change))) return
    if (!invitation || invitation.status === 'accepted') throw invalidLink()
    if (!isOpen(invitation, now)) throw expiredLink()
    const person = caller && (await requireInvitee(deps, trx, caller, invitation))
    const userId = person && (await declinerOf(trx, invitation, person.id))
    await declineRow(trx, { id: invitation.id, userId, change, now })
    await recordInvitation({ trx, now }, 'member_declined', invitation, { actorId: person?.id ?? null })
    await finish({ trx, publish, now }, 'declined', invitation, person)
  })
}

type Trx = ChangeContext['trx']

/** Returns the invitation of a token, and locks its project so that it is answered once. Throws `not_found`. */
async function lockInvitation({ trx }: ChangeContext, token: string): Promise<InvitationRecord> {
  const invitation = await lockByHash(trx, hashOfToken(token, 'hex'))
  if (!invitation) throw invalidLink()
  return invitation
}

/** Ends the other invitations of a new member: to a former address, for example, or to the one to which they have changed. */
async function endInvitationsOf(
  deps: AppDeps,
  context: ChangeContext,
  projectId: string,
  { id: userId, ...person }: PersonRecord,
): Promise<void> {
  const invitee = { userId, email: person.email, proof: emailProof(deps, person) }
  for (const other of await listPendingFor(context.trx, projectId, invitee)) {
    await revokeInvitation(context, other)
    await deleteCollaborator(context.trx, other.id)
  }
}

async function requireInvitee(
  deps: AppDeps,
  trx: Trx,
  { userId }: Caller,
  { id, email }: InvitationRecord,
): Promise<PersonRecord> {
  const person = await findPerson(trx, userId)
  if (!person) throw notSignedIn()
  // It was shown to this account, whose address may have changed since.
  if (await isShown(trx, id, userId)) return person
  if (!isSameEmail(person.email, email)) throw wrongAccount()
  if (emailProof(deps, person) === 'unproven') throw unverifiedAddress()
  return person
}

/**
 * Returns the user to record as declining; null if they are already a member and decline an invitation to another of
 * their emails.
 */
async function declinerOf(trx: Trx, invitation: InvitationRecord, userId: string): Promise<string | null> {
  if (await findMember(trx, invitation.project_id, userId)) return null
  await unlinkDeclined(trx, invitation.project_id, userId)
  return userId
}

async function finish(
  context: ChangeContext,
  answer: 'accepted' | 'declined',
  invitation: InvitationRecord,
  person: PersonRecord | null,
): Promise<void> {
  const { publish } = context
  const project = invitation.project_id
  const userId = person?.id ?? null
  await revokeInvitation(context, invitation, userId)
  const name = person ? shownName(person.name) : invitation.email
  await notifyAnswered(context, answer, invitation, { userId, name })
  publish({ project })
  if (userId !== null) publish({ person: userId, project })
}

const accepted = (invitation: InvitationRecord, now: Date): Acceptance => ({
  collaborator: presentCollaborator(invitation, { tokens: null, now }),
  redirectTo: `/projects/${invitation.project_id}`,
})

/** Section 8 of the specification: the text of the invitation page for an invalid link. */
const INVALID_LINK = 'This invitation link is invalid or has expired.'

const invalidLink = () => new AppError('not_found', INVALID_LINK)

const expiredLink = () => new AppError('expired', INVALID_LINK)

const wrongAccount = () =>
  new AppError(
    'wrong_account',
    'This invitation was sent to another email address. Sign in with the address that was invited to answer it.',
  )

const unverifiedAddress = () =>
  new AppError(
    'unverified_address',
    'Confirm your email address first, by the link that was mailed to you. Then come back to answer this invitation.',
  )
