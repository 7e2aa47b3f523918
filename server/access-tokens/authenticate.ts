import type { AppDeps } from '#server/deps.ts'
import type { Authenticate, Caller } from '#server/platform/calls.ts'
import { AppError } from '#server/platform/errors.ts'
import { createRequestLimit } from '#server/platform/limits/requests.ts'
import { hashOf, isAccessToken, isPossible } from './secret.ts'
import { findByHash, recordUse } from './store.ts'

/** Requests a minute by one access token, of those to one process: enough for a busy program, far below a runaway one. */
export const TOKEN_REQUESTS_PER_MINUTE = 600

/** How long a use counts as the last one, so that not every request writes. */
const USE_MS = 60_000

type Deps = Pick<AppDeps, 'db' | 'identity' | 'clock'>

/** Resolves the bearer token of a request: an application token of a session, or an access token of a program. */
export function createAuthenticate(deps: Deps, { rateLimit }: { rateLimit: boolean }): Authenticate {
  const limit = rateLimit ? createRequestLimit(TOKEN_REQUESTS_PER_MINUTE) : undefined
  return async (token) => {
    if (!isAccessToken(token)) return deps.identity.authenticate(token)
    const caller = await resolve(deps, token)
    limit?.(caller.sessionId)
    return caller
  }
}

async function resolve({ db, clock }: Deps, token: string): Promise<Caller> {
  const found = isPossible(token) ? await findByHash(db, hashOf(token)) : undefined
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
