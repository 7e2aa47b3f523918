import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import type { Claims } from '#server/identity/provider.ts'
import { notSignedIn } from '#server/platform/errors.ts'
import { ALGORITHM, AUDIENCE, type Auth, ISSUER } from './auth.ts'

/** Verifies an ID token that this server's provider signed; throws `not_signed_in`. */
export async function verifyIdToken(auth: Auth, idToken: string, now: Date): Promise<Claims> {
  try {
    const { payload } = await jwtVerify<IdToken>(idToken, createLocalJWKSet(await auth.api.getJwks()), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
      currentDate: now,
    })
    return {
      issuer: ISSUER,
      subject: payload.sub,
      email: payload.email,
      emailVerified: payload.email_verified,
      name: payload.name,
      picture: payload.picture ?? null,
      session: payload.sid,
    }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw notSignedIn()
    throw error
  }
}

type IdToken = {
  sub: string
  email: string
  email_verified: boolean
  name: string
  picture?: string
  sid: string
}
