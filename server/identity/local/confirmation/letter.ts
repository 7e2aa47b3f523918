import { composeLetter } from '#server/platform/mail/letter.ts'
import type { Letter } from '#server/platform/mail/mail.ts'

/**
 * The letter with the link. It carries nothing that the person who signed up has typed but the address: anybody
 * may sign up with anybody's, and their name would be a message of theirs to a stranger.
 */
export function confirmationLetter(
  publicUrl: string,
  { id, email, token }: { id: string; email: string; token: string },
): Letter {
  return {
    id,
    to: email,
    subject: 'Confirm your email address for Milepost',
    ...composeLetter({
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
