import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import { createConfirmations } from '#server/identity/confirmation/service.ts'
import { googleRoutes } from '#server/identity/google/routes.ts'
import { createGoogleService } from '#server/identity/google/sign-in.ts'
import type { Claims, EmailChangeHook, Provider, TakeoverHook } from '#server/identity/identity.ts'
import type { IssuerSettings } from '#server/identity/settings.ts'
import { notSignedIn } from '#server/platform/errors.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { ALGORITHM, AUDIENCE, type Auth, type AuthSettings, createAuth, IP_HEADER, ISSUER } from './auth.ts'
import { createGate } from './hashing.ts'
import { localRoutes } from './routes.ts'
import { createLocalService } from './service.ts'
import { deleteSession } from './store.ts'

/** With `google`, that issuer may vouch for people too; with `emails`, people confirm their emails. */
type LocalSettings = AuthSettings & {
  rateLimit: boolean
  clock: () => Date
  google?: IssuerSettings | undefined
  emails?: { mail: Mail; jobs: Jobs } | undefined
  onEmailChange?: EmailChangeHook | undefined
  onTakeover?: TakeoverHook | undefined
}

/** Creates the provider that needs no setup: accounts in this server's own database, kept by better-auth. */
export async function createLocalProvider(settings: LocalSettings): Promise<Provider> {
  const { db, publicUrl, clock, google: issuer, emails } = settings
  const auth = createAuth(settings)
  await auth.api.getJwks() // creates the first key now, and not once for each of several simultaneous sign-ins
  const confirmations = emails && (await createConfirmations({ ...settings, ...emails, issuer: ISSUER }))
  const service = createLocalService({ ...settings, auth, gate: createGate(), confirmations })
  const google =
    issuer &&
    createGoogleService({
      ...settings,
      issuer,
      localIssuer: ISSUER,
      openSession: (userId, ip) => openSession(auth, userId, ip),
    })
  return {
    options: { provider: 'local', google: google !== undefined },
    verifyIdToken: (idToken) => verifyIdToken(auth, idToken, clock()),
    endSession: (session) => deleteSession(db, session),
    async mount(app) {
      localRoutes(app, { service, confirmations, publicUrl })
      if (google) googleRoutes(app, google, publicUrl)
    },
  }
}

/** Opens a session for a client and returns its cookies. */
async function openSession(auth: Auth, userId: string, ip: string): Promise<string[]> {
  const { headers } = await auth.api.openSession({
    body: { userId },
    headers: new Headers({ [IP_HEADER]: ip }),
    returnHeaders: true,
  })
  return headers.getSetCookie()
}

type IdToken = {
  sub: string
  email: string
  email_verified: boolean
  name: string
  picture?: string
  sid: string
}

/** Verifies an ID token that this server's provider signed; throws `not_signed_in`. */
async function verifyIdToken(auth: Auth, idToken: string, now: Date): Promise<Claims> {
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
