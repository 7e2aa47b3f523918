import { composeEmail } from '#server/platform/mail/email.ts'
import type { Email } from '#server/platform/mail/mail.ts'

/**
 * Composes the email with the link. The email address is all that it repeats of what was typed: anybody can sign up with
 * anybody's, and could send a message to a stranger by their name.
 */
export function confirmationEmail(
  publicUrl: string,
  { id, email, token }: { id: string; email: string; token: string },
): Email {
  return {
    id,
    to: email,
    subject: 'Confirm your email address for Milepost',
    ...composeEmail({
      title: 'Confirm your email address',
      opening: [
        `Somebody made an account on Milepost (${new URL(publicUrl).host}) with the address ${email}. If it was you, confirm that the address is yours.`,
      ],
      action: { label: 'Confirm this address', url: `${publicUrl}/verify-email/${token}` },
      closing: [
        'The link works once, within 24 hours, and only for somebody who is signed in to that account.',
        'If it was not you, leave it: the address then counts as nobody’s.',
      ],
    }),
  }
}
