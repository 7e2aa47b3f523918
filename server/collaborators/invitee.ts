import type { AppDeps } from '#server/deps.ts'
import type { PersonRecord } from './store.ts'

/** Where this server sends mail, people can verify their addresses. */
type MailDeps = Pick<AppDeps, 'invitationEmails'>

/**
 * How far an account has shown that its address is its owner's:
 * - `proven`: verified by mail or by a trusted issuer. Invitations to the address are this person's.
 * - `unprovable`: this server sends no mail, so nobody can verify anything. Invitations are this person's where the
 *   account had the address when they were made; a later one needs the link, which then is the proof.
 * - `unproven`: the person could verify the address and has not. No invitation is theirs, with the link or without.
 */
export type AddressProof = 'proven' | 'unprovable' | 'unproven'

export function addressProof(
  { invitationEmails }: MailDeps,
  { email_verified }: Pick<PersonRecord, 'email_verified'>,
): AddressProof {
  if (email_verified) return 'proven'
  return invitationEmails === undefined ? 'unprovable' : 'unproven'
}

/** Whether two addresses are the same but for the case of their emails. */
export function isSameAddress(one: string, other: string): boolean {
  return folded(one) === folded(other)
}

/** Letters of ASCII alone: others become some of them in small, such as the sign of the kelvin. */
const folded = (address: string) => address.replaceAll(/[A-Z]/g, (email) => email.toLowerCase())
