import { createHash, randomBytes } from 'node:crypto'

/** What the link of an invitation carries: 256 bits, and their hash by which it is found again. */
export type InviteToken = { token: string; tokenHash: string }

export function makeToken(): InviteToken {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
