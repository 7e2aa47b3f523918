import { v7 as uuidv7 } from 'uuid'
import {
  type Collaborator,
  INVITATION_DAYS,
  type InvitationOptions,
  type InviteFields,
} from '#contract/collaborators.ts'
import { unlinkInvitation } from '#server/notifications/service.ts'
import type { Parts } from '#server/parts.ts'
import { changeProject } from '#server/permissions/change.ts'
import type { Caller } from '#server/platform/calls.ts'
import { notFound, notSignedIn } from '#server/platform/errors.ts'
import { isProven, isSameAddress } from './address.ts'
import { refuseCrowd, refuseHaste } from './limits.ts'
import { tellInvited } from './notices.ts'
import { findPeopleAt, findProject, lockAddress, lockPerson } from './people-store.ts'
import { isOpen, presentCollaborator } from './present.ts'
import { conflict } from './refusals.ts'
import { type CollaboratorRecord, findByEmail, findCollaborator, upsertInvitation } from './store.ts'
import { makeToken } from './token.ts'

const DAY_MS = 24 * 60 * 60_000

/** How invitations travel on this server. */
export function readInvitationOptions({ invitationLetters }: Parts): InvitationOptions {
  return { mailed: invitationLetters !== undefined }
}

/**
 * Invites whoever has an address; anew, with another token, where an earlier invitation was declined or has expired.
 * What is answered does not tell whether the address has an account. Throws `not_found`, `forbidden`, `conflict` where
 * there is nobody to invite, or `too_many_requests`.
 */
export async function inviteCollaborator(
  parts: Parts,
  caller: Caller,
  projectId: string,
  { email, role }: InviteFields,
  { rateLimit }: { rateLimit: boolean },
): Promise<Collaborator> {
  const now = parts.clock()
  const { invitationLetters } = parts
  const invited = await changeProject(
    parts,
    caller,
    'collaborators:manage',
    { projectId },
    async (trx, _standing, tell) => {
      const project = await findProject(trx, projectId)
      if (!project) throw notFound('Project')
      const inviter = await lockPerson(trx, caller.userId)
      if (!inviter) throw notSignedIn()
      const before = await findByEmail(trx, projectId, email)
      refuseNeedless(email, { project, inviter, before, now })
      await refuseCrowd(trx, projectId, now)
      if (rateLimit) await refuseHaste(trx, caller.userId, now)

      const token = makeToken()
      const expiresAt = new Date(now.getTime() + INVITATION_DAYS * DAY_MS)
      const invitation = { projectId, email, role, inviterId: caller.userId, token, now, expiresAt }
      const id = await upsertInvitation(trx, uuidv7(), invitation)
      if (before?.invite_token) await unlinkInvitation(trx, before.invite_token)
      await lockAddress(trx, email)
      for (const person of await findPeopleAt(trx, email))
        if (isProven(parts, person))
          await tellInvited({ trx, tell, now }, person.id, { id, ...token, project, name: inviter.name })
      await invitationLetters?.add(trx, { id, tokenHash: token.tokenHash })
      return findCollaborator(trx, projectId, id)
    },
  )
  if (!invited) throw notFound('Collaborator')
  invitationLetters?.wake()
  return presentCollaborator(invited, { seesTokens: true, now })
}

type Circumstances = {
  project: { owner_email: string }
  inviter: { email: string }
  before: CollaboratorRecord | undefined
  now: Date
}

function refuseNeedless(email: string, { project, inviter, before, now }: Circumstances): void {
  if (isSameAddress(email, inviter.email)) throw conflict('You cannot invite yourself')
  if (isSameAddress(email, project.owner_email)) throw conflict('The owner of the project cannot be invited')
  if (before?.status === 'accepted') throw conflict(`${email} is already a collaborator of this project`)
  if (before && isOpen(before, now)) throw conflict(`${email} is already invited to this project`)
}
