import { v7 as uuidv7 } from 'uuid'
import {
  type Collaborator,
  INVITATION_DAYS,
  type InvitationOptions,
  type InvitedCollaborator,
  type InviteFields,
} from '#contract/collaborators.ts'
import { changeProject } from '#server/change-project.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { shownName } from '#server/files/people.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, notFound, notSignedIn } from '#server/platform/api/errors.ts'
import {
  type Change,
  findCreated,
  firstChanges,
  hasChange,
  type Kind,
} from '#server/platform/changes/changes.ts'
import { readableEmail } from '#server/platform/mail/readable-email.ts'
import { recordInvitation } from './activity.ts'
import { mayBeMailed } from './emails.ts'
import { emailProof, isSameEmail, makeToken } from './invitation-proof.ts'
import { findByEmail, findChanges, lockEmail, saveInvitation } from './invitation-store.ts'
import { type ChangeContext, notifyInvited, revokeInvitation } from './notifications.ts'
import { presentCollaborator } from './present.ts'
import { limitInviting, limitOpenInvitations } from './rate-limits.ts'
import {
  type CollaboratorRecord,
  findCollaborator,
  findPeopleAt,
  findProject,
  hasMemberAmong,
  lockPerson,
  type PersonRecord,
} from './store.ts'

const LIFETIME_MS = INVITATION_DAYS * 24 * 60 * 60_000

/** How this server delivers invitations. */
export function readInvitationOptions({ sendsMail }: AppDeps): InvitationOptions {
  return { mailed: sendsMail }
}

/**
 * Invites an email, or renews a declined or expired invitation with another token. If
 * this server sends mail, the response does not reveal whether the email has an account; otherwise it names the
 * accounts that got the invitation, because emails are not verified. Throws `not_found`, `forbidden`,
 * `conflict` if there is nobody to invite, or `too_many_requests`.
 */
export async function inviteCollaborator(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  fields: InviteFields,
  { rateLimit, change }: { rateLimit: boolean; change: Change },
): Promise<InvitedCollaborator> {
  const now = deps.clock()
  const reader = { tokens: deps.tokenCipher, now }
  const invited = await changeProject(
    deps,
    caller,
    'collaborators:manage',
    { projectId, wanted: change.newId },
    async (trx, { taken }, publish) => {
      const context = { trx, publish, now }
      const project = await findProject(trx, projectId)
      if (!project) throw notFound('Project')
      const inviter = await lockPerson(trx, caller.userId)
      if (!inviter) throw notSignedIn()
      await lockEmail(trx, fields.email)
      const before = await findByEmail(trx, projectId, fields.email)
      const sent = await findSent(trx, { projectId, userId: caller.userId, before, taken }, change)
      if (sent) {
        change.wasDone(sent)
        return presentCollaborator(sent, reader)
      }
      refuseRedundant(fields.email, {
        project,
        inviter,
        before: before && presentCollaborator(before, reader),
      })
      await refuseMember(deps, trx, projectId, fields.email)
      await limitOpenInvitations(trx, projectId, now)
      if (rateLimit) await limitInviting(trx, caller.userId, now)
      if (before) await revokeInvitation(context, before)
      const { row, recipients } = await send(deps, context, { ...fields, project, inviter, before, change })
      return { ...presentCollaborator(row, reader), ...(!deps.sendsMail && { recipients }) }
    },
  )
  deps.emailQueues?.invitations.wake()
  return invited
}

type Sent = {
  projectId: string
  userId: string
  before: CollaboratorRecord | undefined
  taken: Kind | null
}

/** Returns the invitation that this change has made before: under its own id, or by renewing the one to the same email. */
async function findSent(trx: Db, { projectId, userId, before, taken }: Sent, change: Change) {
  const changes = before && (await findChanges(trx, before.id))
  if (before && changes && hasChange({ changes }, change)) return { ...before, changes }
  return findCreated(taken, 'collaborator', async () => {
    const id = change.newId ?? ''
    const row = await findCollaborator(trx, projectId, id)
    const own = row?.inviter_id === userId ? row : undefined
    return own && { ...own, changes: (await findChanges(trx, id)) ?? [] }
  })
}

type Project = NonNullable<Awaited<ReturnType<typeof findProject>>>

type InviteCheck = {
  project: Project
  inviter: PersonRecord
  before: Collaborator | undefined
}

function refuseRedundant(email: string, { project, inviter, before }: InviteCheck): void {
  if (isSameEmail(email, inviter.email)) throw conflict('You cannot invite yourself')
  if (isSameEmail(email, project.owner_email)) throw conflict('The owner of the project cannot be invited')
  if (before?.status === 'accepted')
    throw conflict(`${readableEmail(email)} is already a collaborator of this project`)
  // A pending invitation whose token can no longer be decrypted is renewed.
  if (before?.inviteToken !== undefined)
    throw conflict(`${readableEmail(email)} is already invited to this project`)
}

/**
 * Throws `conflict` if the account with this address is a member who was invited at another one. An address that its account could
 * prove and has not may belong to somebody else, who can be invited.
 */
async function refuseMember(
  deps: AppDeps,
  trx: ChangeContext['trx'],
  projectId: string,
  email: string,
): Promise<void> {
  const people = (await findPeopleAt(trx, email)).filter((person) => emailProof(deps, person) !== 'unproven')
  const ids = people.map(({ id }) => id)
  if (await hasMemberAmong(trx, projectId, ids))
    throw conflict(`${readableEmail(email)} is already a collaborator of this project`)
}

type Invitation = InviteFields & {
  project: Project
  inviter: PersonRecord
  before: CollaboratorRecord | undefined
  change: Change
}

/**
 * Saves the invitation, notifies the accounts with its email, and queues the email unless the mailbox has reached its limit.
 */
async function send(
  deps: AppDeps,
  { trx, publish, now }: ChangeContext,
  { email, role, project, inviter, before, change }: Invitation,
) {
  const id = before?.id ?? change.newId ?? uuidv7()
  const { token, tokenHash } = makeToken()
  await saveInvitation(
    trx,
    { id, renewed: before !== undefined },
    {
      projectId: project.id,
      email,
      role,
      inviterId: inviter.id,
      encryptedToken: deps.tokenCipher.encrypt(token, id),
      tokenHash,
      changes: firstChanges(change),
      now,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    },
  )
  const invited = { project_id: project.id, email }
  await recordInvitation({ trx, now }, 'member_invited', invited, { actorId: inviter.id, details: { role } })
  const recipients = (await findPeopleAt(trx, email)).filter(
    (person) => emailProof(deps, person) !== 'unproven',
  )
  for (const { id: userId } of recipients)
    await notifyInvited({ trx, publish, now }, userId, { id, tokenHash, project, name: inviter.name })
  const emails = deps.emailQueues?.invitations
  if (emails && (await mayBeMailed({ trx, now }, { email, inviterId: inviter.id })))
    await emails.add(trx, { id, tokenHash })
  const row = await findCollaborator(trx, project.id, id)
  if (!row) throw notFound('Collaborator')
  return { row, recipients: recipients.map(({ name }) => ({ name: shownName(name) })) }
}
