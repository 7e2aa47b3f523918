import { v7 as uuidv7 } from 'uuid'
import {
  type Collaborator,
  INVITATION_DAYS,
  type InvitationOptions,
  type InvitedCollaborator,
  type InviteFields,
} from '#contract/collaborators.ts'
import type { AppDeps } from '#server/deps.ts'
import { changeProject } from '#server/permissions/change.ts'
import type { Caller } from '#server/platform/calls.ts'
import { notFound, notSignedIn } from '#server/platform/errors.ts'
import { conflict } from './answers.ts'
import { mayBeMailed } from './emails.ts'
import { type ChangeContext, tellInvited } from './invitation-notifications.ts'
import { findByEmail, lockAddress, saveInvitation } from './invitation-store.ts'
import { addressProof, isSameAddress } from './invitee.ts'
import { presentCollaborator, shownName } from './present.ts'
import { refuseCrowd, refuseHaste } from './rate-limits.ts'
import { closeInvitation } from './revoke.ts'
import {
  type CollaboratorRecord,
  findCollaborator,
  findPeopleAt,
  findProject,
  lockPerson,
  type PersonRecord,
} from './store.ts'
import { makeToken } from './token.ts'

const LIFETIME_MS = INVITATION_DAYS * 24 * 60 * 60_000

/** How invitations travel on this server. */
export function readInvitationOptions({ invitationEmails }: AppDeps): InvitationOptions {
  return { mailed: invitationEmails !== undefined }
}

/**
 * Invites whoever has an address; anew, with another token, where an earlier invitation was declined or has expired.
 * Where this server sends mail, the answer does not tell whether the address has an account; where it sends none, it
 * names the accounts that got the invitation, because nobody proved that the address is theirs. Throws `not_found`,
 * `forbidden`, `conflict` where there is nobody to invite, or `too_many_requests`.
 */
export async function inviteCollaborator(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  fields: InviteFields,
  { rateLimit }: { rateLimit: boolean },
): Promise<InvitedCollaborator> {
  const now = deps.clock()
  const place = { projectId }
  const viewer = { tokens: deps.tokenCipher, now }
  const { row, recipients } = await changeProject(
    deps,
    caller,
    'collaborators:manage',
    place,
    async (trx, _, publish) => {
      const context = { trx, publish, now }
      const project = await findProject(trx, projectId)
      if (!project) throw notFound('Project')
      const inviter = await lockPerson(trx, caller.userId)
      if (!inviter) throw notSignedIn()
      await lockAddress(trx, fields.email)
      const before = await findByEmail(trx, projectId, fields.email)
      refuseNeedless(fields.email, {
        project,
        inviter,
        before: before && presentCollaborator(before, viewer),
      })
      await refuseCrowd(trx, projectId, now)
      if (rateLimit) await refuseHaste(trx, caller.userId, now)
      if (before) await closeInvitation(context, before)
      return send(deps, context, { ...fields, project, inviter, before })
    },
  )
  deps.invitationEmails?.wake()
  const isVerifying = deps.invitationEmails !== undefined
  return { ...presentCollaborator(row, viewer), ...(!isVerifying && { recipients }) }
}

type Project = NonNullable<Awaited<ReturnType<typeof findProject>>>

type Circumstances = {
  project: Project
  inviter: PersonRecord
  before: Collaborator | undefined
}

function refuseNeedless(email: string, { project, inviter, before }: Circumstances): void {
  if (isSameAddress(email, inviter.email)) throw conflict('You cannot invite yourself')
  if (isSameAddress(email, project.owner_email)) throw conflict('The owner of the project cannot be invited')
  if (before?.status === 'accepted') throw conflict(`${email} is already a collaborator of this project`)
  // One that is open but whose token can no longer be decrypted is renewed.
  if (before?.inviteToken !== undefined) throw conflict(`${email} is already invited to this project`)
}

type Invitation = InviteFields & {
  project: Project
  inviter: PersonRecord
  before: CollaboratorRecord | undefined
}

/** Makes the invitation, gives it to those whose address it is, and promises the email unless they had many of late. */
async function send(
  deps: AppDeps,
  { trx, publish, now }: ChangeContext,
  { email, role, project, inviter, before }: Invitation,
) {
  const id = before?.id ?? uuidv7()
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
      now,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    },
  )
  const recipients = (await findPeopleAt(trx, email)).filter(
    (person) => addressProof(deps, person) !== 'unproven',
  )
  for (const { id: userId } of recipients)
    await tellInvited({ trx, publish, now }, userId, { id, tokenHash, project, name: inviter.name })
  const emails = deps.invitationEmails
  if (emails && (await mayBeMailed({ trx, now }, { email, inviterId: inviter.id })))
    await emails.add(trx, { id, tokenHash })
  const row = await findCollaborator(trx, project.id, id)
  if (!row) throw notFound('Collaborator')
  return { row, recipients: recipients.map(({ name }) => ({ name: shownName(name) })) }
}
