import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'mp_'
const RANDOM_BYTES = 24
const pattern = /^mp_[0-9a-f]{56}$/

/** Makes an access token: a prefix that scanners of leaks can look for, 192 random bits, and a checksum, in hexadecimal digits. */
export function createSecret(): string {
  const random = randomBytes(RANDOM_BYTES).toString('hex')
  return PREFIX + random + checksum(random)
}

/** Whether a bearer token is meant to be an access token, also a mistyped one. */
export const isAccessToken = (token: string): boolean => token.startsWith(PREFIX)

/** Whether it can be one: a mistyped token is refused without a query. */
export const isPossible = (token: string): boolean =>
  pattern.test(token) && checksum(token.slice(PREFIX.length, -8)) === token.slice(-8)

/** What the database knows of a token. Its randomness needs no slow hash. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0')
