import { decodeJwt, errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { TOKEN_SECONDS } from '#contract/token-lifetime.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notSignedIn } from '#server/platform/api/errors.ts'
import type { Secrets } from '#server/platform/secrets.ts'

const ISSUER = 'milepost'
const AUDIENCE = 'milepost-api'
const ALGORITHM = 'HS256'

/** The maximum number of verified tokens that a process caches: about 2 MB. */
const CACHED = 2_000

export type Tokens = {
  issue(caller: Caller): Promise<string>
  /** Returns the caller of a token; throws `not_signed_in` if the token is expired or not ours. */
  verify(token: string): Promise<Caller>
}

/** Returns the expiry of a verified token. */
export function tokenEnd(token: string): Date {
  return new Date((decodeJwt(token).exp ?? 0) * 1000)
}

/** Signs and verifies application tokens. The previous secret verifies for one token lifetime after the start. */
export function createTokens(secrets: Secrets, clock: () => Date): Tokens {
  const { current, previous } = secrets
  const previousUntil = clock().getTime() + TOKEN_SECONDS * 1000

  function keyOf({ kid }: JWTHeaderParameters): Uint8Array {
    if (kid === current.id) return current.tokenKey
    if (previous && kid === previous.id && clock().getTime() < previousUntil) return previous.tokenKey
    throw new errors.JWKSNoMatchingKey()
  }

  // A verified signature stays valid until its token or key expires. The session is checked on each request.
  const verified = new LRUCache<string, { caller: Caller; until: number }>({ max: CACHED })

  return {
    issue({ userId, sessionId }) {
      const now = Math.floor(clock().getTime() / 1000)
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, kid: current.id, typ: 'JWT' })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(now)
        .setExpirationTime(now + TOKEN_SECONDS)
        .sign(current.tokenKey)
    },

    async verify(token) {
      const known = verified.get(token)
      if (known && clock().getTime() < known.until) return known.caller
      try {
        const { payload, protectedHeader } = await jwtVerify<{ sub: string; sid: string; exp: number }>(
          token,
          keyOf,
          {
            algorithms: [ALGORITHM],
            issuer: ISSUER,
            audience: AUDIENCE,
            requiredClaims: ['sub', 'sid', 'iat', 'exp'],
            currentDate: clock(),
          },
        )
        const caller = { userId: payload.sub, sessionId: payload.sid }
        const end = payload.exp * 1000
        const until = protectedHeader.kid === current.id ? end : Math.min(end, previousUntil)
        verified.set(token, { caller, until })
        return caller
      } catch (error) {
        if (error instanceof errors.JOSEError) throw notSignedIn()
        throw error
      }
    },
  }
}
