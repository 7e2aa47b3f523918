/**
 * How far an account has shown that its address is its owner's:
 * - `proven`: verified by mail or by a trusted issuer. Invitations to the address are this person's.
 * - `unprovable`: this server sends no mail, so nobody can verify anything. Invitations are this person's where the
 *   account had the address when they were made; a later one needs the link, which then is the proof.
 * - `unproven`: the person could verify the address and has not. No invitation is theirs, with the link or without.
 */
export type AddressProof = 'proven' | 'unprovable' | 'unproven'

export function addressProof(
  { invitationEmails }: { invitationEmails?: unknown },
  { email_verified }: { email_verified: boolean },
): AddressProof {
  if (email_verified) return 'proven'
  return invitationEmails === undefined ? 'unprovable' : 'unproven'
}

/** Whether two email addresses are the same in any case of their letters. */
export function isSameEmail(one: string, other: string): boolean {
  return folded(one) === folded(other)
}

/** ASCII letters alone: some others have an ASCII letter as their lower case, such as the kelvin sign. */
const folded = (email: string) => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
