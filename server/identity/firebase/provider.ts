import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Logger } from 'pino'
import { z } from 'zod'
import { normalEmail } from '#contract/email.ts'
import type { FirebaseOptions } from '#contract/identity.ts'
import { HOUR_MS } from '#contract/parts/durations.ts'
import type { Claims, Provider } from '#server/identity/identity.ts'
import { AppError, notSignedIn } from '#server/platform/api/errors.ts'

const GOOGLE_KEYS = new URL(
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
)
const COOLDOWN_MS = 30_000
const TIMEOUT_MS = 5_000
const RETRY_SECONDS = 5

/** The tolerated lag of our clock behind Google's. */
const LAG_SECONDS = 30

const idToken = z.object({
  sub: z.string().min(1).max(128),
  iat: z.number(),
  exp: z.number(),
  auth_time: z.number(),
  // Absent after anonymous or telephone sign-in, which Milepost does not support.
  email: z.string().min(1),
  email_verified: z.boolean().default(false),
  name: z.string().nullish(),
  picture: z.string().nullish(),
})

type Deps = {
  firebase: FirebaseOptions
  log: Logger
  clock: () => Date
  /** The URL of the public keys; defaults to Google's. */
  keysUrl?: URL
}

/** The hosted provider: browsers sign in at Firebase, and this server verifies the ID tokens that they send. */
export function createFirebaseProvider({ firebase, log, clock, keysUrl }: Deps): Provider {
  const keys = signingKeys(log, keysUrl)
  const { projectId } = firebase
  return {
    options: {
      provider: 'firebase',
      google: true,
      issuerOnly: false,
      passkeys: false,
      sendsMail: false,
      firebase,
    },
    verifyIdToken: (idToken) => verifyIdToken(idToken, { keys, projectId, now: clock() }),
    endSession: async () => undefined,
    mount: async () => undefined,
  }
}

/** Returns the issuer of a Firebase project's ID tokens. */
export const firebaseIssuer = (projectId: string) => `https://securetoken.google.com/${projectId}`

/** Verifies an ID token that Firebase issued for the project; throws `not_signed_in` or `unavailable`. */
async function verifyIdToken(
  token: string,
  { keys, projectId, now }: { keys: JWTVerifyGetKey; projectId: string; now: Date },
): Promise<Claims> {
  const issuer = firebaseIssuer(projectId)
  const { payload } = await jwtVerify(token, keys, {
    algorithms: ['RS256'],
    issuer,
    audience: projectId,
    currentDate: now,
  }).catch((error: unknown) => {
    throw error instanceof errors.JOSEError ? notSignedIn() : error
  })
  const { success, data } = idToken.safeParse(payload)
  const latest = now.getTime() / 1000 + LAG_SECONDS
  if (!success || data.iat > latest || data.auth_time > latest) throw notSignedIn()
  return {
    issuer,
    subject: data.sub,
    email: normalEmail(data.email),
    emailVerified: data.email_verified,
    name: data.name ?? null,
    picture: data.picture ?? null,
    session: null,
    provenAt: new Date(data.auth_time * 1000),
  }
}

/**
 * Returns Google's public keys for Firebase ID tokens. They are cached for an hour. An unknown key id refetches them, at most
 * every 30 seconds. Throws `unavailable` while they cannot be fetched.
 */
function signingKeys(log: Logger, url: URL = GOOGLE_KEYS): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: HOUR_MS,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
  })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (isTokenError(error)) throw error
      log.warn({ err: error }, "Google's keys could not be fetched: nobody can sign in")
      throw new AppError('unavailable', 'Signing in is not possible right now. Please try again.', {
        retryAfter: RETRY_SECONDS,
      })
    }
  }
}

function isTokenError(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}
