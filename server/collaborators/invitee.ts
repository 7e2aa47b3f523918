/**
 * Whether the email of an account is proven to belong to the account's owner:
 * - `proven`: it was verified by mail or by a trusted issuer. The owner is given invitations to it.
 * - `unprovable`: this server sends no mail, so nobody can verify an email. The owner is given the invitations that
 *   were made while the account had the email; any other needs its link, which then is the proof.
 * - `unproven`: the owner could verify the email and has not. They are given no invitation, not even with its link.
 */
export type EmailProof = 'proven' | 'unprovable' | 'unproven'

export function emailProof(
  { sendsMail }: { sendsMail: boolean },
  { email_verified }: { email_verified: boolean },
): EmailProof {
  if (email_verified) return 'proven'
  return sendsMail ? 'unproven' : 'unprovable'
}

/** Returns whether two emails are the same, ignoring the case of letters. */
export function isSameEmail(one: string, other: string): boolean {
  return folded(one) === folded(other)
}

/** ASCII letters alone: some others have an ASCII letter as their lower case, such as the kelvin sign. */
const folded = (email: string) => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
