import { randomBytes } from 'node:crypto'
import type { Registrant } from '#server/identity/identity.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import type { CollaboratorRecord, EmailProof } from './store.ts'

/** The token in the link of an invitation, 256 random bits, and the hash by which the invitation is found. */
export type InviteToken = { token: string; tokenHash: string }

export function makeToken(): InviteToken {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOfToken(token, 'hex') }
}

/** The proof that an invitation to an email is meant for a person: its token, or a verified email. */
export type InvitationProof = { email: string; tokenHash: string | null; withoutToken: boolean }

/** Returns the proof of a person without an account. */
export function proofOf({ email, emailVerified, invitation }: Registrant): InvitationProof {
  return {
    email,
    tokenHash: invitation === undefined ? null : hashOfToken(invitation, 'hex'),
    withoutToken: emailVerified,
  }
}

/** Returns whether an account's email is proven to belong to its owner. */
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

/** Converts only ASCII letters: the lower case of some other characters, such as the kelvin sign, is an ASCII letter. */
const folded = (email: string) => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Whether an invitation can still be answered. */
export function isOpen(row: Pick<CollaboratorRecord, 'status' | 'expires_at'>, now: Date): boolean {
  return row.status === 'pending' && row.expires_at !== null && row.expires_at > now
}
