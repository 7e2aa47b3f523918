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

/** Whether two addresses are the same: case is ignored, everything else counts. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
