import type { Parts } from '#server/parts.ts'
import type { PersonRecord } from './people-store.ts'

/** What decides whether an address counts: where this server sends mail, people can confirm theirs, and must. */
type Means = Pick<Parts, 'invitationLetters'>

/** Whether the address of an account counts as its owner's, to whom invitations of that address belong. */
export function isProven(
  { invitationLetters }: Means,
  person: Pick<PersonRecord, 'email_verified'>,
): boolean {
  return invitationLetters === undefined || person.email_verified
}

/** Whether two addresses are the same but for the case of their letters. */
export function isSameAddress(one: string, other: string): boolean {
  return folded(one) === folded(other)
}

/** Letters of ASCII alone: others become some of them in small, such as the sign of the kelvin. */
const folded = (address: string) => address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
