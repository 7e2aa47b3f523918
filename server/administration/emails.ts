import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { SERVER_INVITATION_DAYS } from '#contract/people.ts'
import { type InvitationEmails, openInvitationQueue } from '#server/collaborators/emails.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Jobs, Queue } from '#server/platform/jobs.ts'
import { composeEmail } from '#server/platform/mail/email.ts'
import { deliver, type Email, type Mail } from '#server/platform/mail/mail.ts'
import {
  findUnmailedInvitation,
  markInvitationMailed,
  markInvitationUndeliverable,
} from './invitation-store.ts'
import { findPerson } from './store.ts'

/** Opens the queue of invitations to this server. */
export function openServerInvitationEmails(
  deps: Parameters<typeof openInvitationQueue>[0],
): Promise<InvitationEmails> {
  return openInvitationQueue(deps, {
    name: 'an invitation to this server',
    queue: 'server-invitation-emails',
    findUnmailed: findUnmailedInvitation,
    markMailed: markInvitationMailed,
    markUndeliverable: markInvitationUndeliverable,
    compose: (invitation) => invitationEmail(deps.publicUrl, invitation),
  })
}

/** Enough of the hash to distinguish emails in a single-line header. */
const ID_LENGTH = 32

function invitationEmail(
  publicUrl: string,
  { tokenHash, token, email }: { tokenHash: string; token: string; email: string },
): Email {
  const host = new URL(publicUrl).host
  return {
    id: `server-invitation-${tokenHash.slice(0, ID_LENGTH)}`,
    to: email,
    subject: 'You are invited to Milepost',
    ...composeEmail({
      title: 'You are invited to Milepost',
      opening: [`An administrator of Milepost (${host}) invites you to make an account there.`],
      action: { label: 'Create your account', url: `${publicUrl}/register?invitation=${token}` },
      closing: [
        `The link works within ${SERVER_INVITATION_DAYS} days, for an account with the address ${email}.`,
        'If you do not know who invited you, ignore this email: nothing happens.',
      ],
    }),
  }
}

type ApprovalDeps = { db: Kysely<Schema>; mail: Mail; jobs: Jobs; publicUrl: string; log: Logger }

export type ApprovalEmails = Queue<{ userId: string }>

/** Opens the queue of emails about approved accounts. */
export function openApprovalEmails(deps: ApprovalDeps): Promise<ApprovalEmails> {
  return deps.jobs.queue<{ userId: string }>('approval-emails', async ({ userId }) => {
    const person = await findPerson(deps.db, userId)
    if (!person || person.suspended_at !== null || person.leaving_since !== null) return
    await deliver(deps, 'an email about an approved account', approvalEmail(deps.publicUrl, person))
  })
}

function approvalEmail(publicUrl: string, { id, email }: { id: string; email: string }): Email {
  return {
    id: `approval-${id}`,
    to: email,
    subject: 'Your account on Milepost is approved',
    ...composeEmail({
      title: 'Your account is approved',
      opening: [
        `An administrator of Milepost (${new URL(publicUrl).host}) has approved the account ${email}. You can sign in now.`,
      ],
      action: { label: 'Sign in', url: `${publicUrl}/login` },
      closing: ['If you did not request an account there, ignore this email.'],
    }),
  }
}
