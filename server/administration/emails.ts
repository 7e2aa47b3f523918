import { SERVER_INVITATION_DAYS } from '#contract/administration.ts'
import { type InvitationEmails, openInvitationQueue } from '#server/collaborators/emails.ts'
import { composeEmail } from '#server/platform/mail/email.ts'
import type { Email } from '#server/platform/mail/mail.ts'
import { findUnmailedInvitation, markInvitationMailed } from './invitation-store.ts'

/** Opens the queue that emails invitations to this server. */
export function openServerInvitationEmails(
  deps: Parameters<typeof openInvitationQueue>[0],
): Promise<InvitationEmails> {
  return openInvitationQueue(deps, {
    name: 'an invitation to this server',
    queue: 'server-invitation-emails',
    findUnmailed: findUnmailedInvitation,
    markMailed: markInvitationMailed,
    compose: (invitation) => invitationEmail(deps.publicUrl, invitation),
  })
}

/** Enough of the hash to distinguish emails in a header of one line. */
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
        'If you do not know who invites you, leave this email: nothing happens.',
      ],
    }),
  }
}
