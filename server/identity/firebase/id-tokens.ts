import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Claims } from '#server/identity/provider.ts'
import { notSignedIn } from '#server/platform/errors.ts'

/** So much may our clock lag behind Google's for somebody who has signed in this second. */
const LAG_SECONDS = 30

const idToken = z.object({
  sub: z.string().min(1).max(128),
  iat: z.number(),
  exp: z.number(),
  auth_time: z.number(),
  // Absent for those who came in anonymously or by telephone, which Milepost has no use for.
  email: z.string().min(1),
  email_verified: z.boolean().default(false),
  name: z.string().nullish(),
  picture: z.string().nullish(),
})

/** Verifies an ID token that Firebase issued for the project; throws `not_signed_in` or `unavailable`. */
export async function verifyIdToken(
  token: string,
  { keys, projectId, now }: { keys: JWTVerifyGetKey; projectId: string; now: Date },
): Promise<Claims> {
  const issuer = `https://securetoken.google.com/${projectId}`
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
    email: data.email,
    emailVerified: data.email_verified,
    name: data.name ?? null,
    picture: data.picture ?? null,
    session: null,
  }
}
