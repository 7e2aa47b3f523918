import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { AppDeps } from '#server/deps.ts'
import type { Authenticate, Caller } from '#server/platform/api/calls.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { createRequestLimit } from '#server/platform/limits/requests.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { findByHash, recordUse } from './store.ts'

/** Rate limit of one access token, per process: enough for a busy program, far below a runaway one. */
export const TOKEN_REQUESTS_PER_MINUTE = 600

/** The interval in which a use is recorded at most once, so that not every request writes. */
const USE_MS = 60_000

type Deps = Pick<AppDeps, 'db' | 'clock'>

/** Authenticates programs by their access tokens. */
export function createProgramAuthenticate(deps: Deps, { rateLimit }: { rateLimit: boolean }): Authenticate {
  const limit = rateLimit ? createRequestLimit(TOKEN_REQUESTS_PER_MINUTE) : undefined
  return async (token) => {
    const caller = await resolve(deps, token)
    limit?.(caller.sessionId)
    return caller
  }
}

async function resolve({ db, clock }: Deps, token: string): Promise<Caller> {
  const found = isPossible(token) ? await findByHash(db, hashOfToken(token)) : undefined
  const now = clock()
  if (!found || (found.expires_at !== null && found.expires_at <= now)) throw unknownToken()
  const before = new Date(now.getTime() - USE_MS)
  if (found.last_used_at === null || found.last_used_at < before)
    await recordUse(db, found.id, { now, before })
  return {
    userId: found.user_id,
    sessionId: found.id,
    grant: { scopes: found.scopes, projectIds: found.project_ids, expiresAt: found.expires_at },
  }
}

const unknownToken = () =>
  new AppError('not_signed_in', 'This access token is not valid: it was mistyped, revoked, or has expired')

const PREFIX = 'mp_'
const RANDOM_BYTES = 24
const pattern = /^mp_[0-9a-f]{56}$/

/** Creates an access token: a prefix that secret scanners can search for, 192 random bits, and a checksum, in hexadecimal. */
export function createSecret(): string {
  const random = randomBytes(RANDOM_BYTES).toString('hex')
  return PREFIX + random + checksum(random)
}

/** Returns whether a bearer token has the prefix of access tokens, even if it is mistyped. */
export const isAccessToken = (token: string): boolean => token.startsWith(PREFIX)

/** Returns whether a token is well-formed, so that a mistyped one is refused without a query. */
const isPossible = (token: string): boolean =>
  pattern.test(token) && checksum(token.slice(PREFIX.length, -8)) === token.slice(-8)

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0')
