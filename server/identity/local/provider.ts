import type { FastifyRequest } from 'fastify'
import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import { createDevices } from '#server/identity/devices/devices.ts'
import { createConfirmations } from '#server/identity/emailed-links/confirmation.ts'
import { createEmailChanges } from '#server/identity/emailed-links/email-change.ts'
import { createPasswordResets } from '#server/identity/emailed-links/password-reset.ts'
import { googleRoutes } from '#server/identity/google/routes.ts'
import { createGoogleService } from '#server/identity/google/sign-in.ts'
import type {
  Claims,
  EmailChangeHook,
  Provider,
  RegistrationPolicy,
  TakeoverHook,
} from '#server/identity/identity.ts'
import { refuseOtherSignIns } from '#server/identity/issuer-only.ts'
import { openPasskeyEmails } from '#server/identity/passkeys/emails.ts'
import { relyingPartyOf } from '#server/identity/passkeys/relying-party.ts'
import { passkeySignInRoutes } from '#server/identity/passkeys/routes.ts'
import { createPasskeySignIn, createPasskeys } from '#server/identity/passkeys/service.ts'
import type { IssuerSettings } from '#server/identity/settings.ts'
import { openTwoFactorEmails } from '#server/identity/two-factor/emails.ts'
import { createSecondSteps } from '#server/identity/two-factor/second-step.ts'
import { createTwoFactor } from '#server/identity/two-factor/service.ts'
import { notSignedIn } from '#server/platform/api/errors.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { ALGORITHM, AUDIENCE, type Auth, type AuthSettings, createAuth, ISSUER, signIns } from './auth.ts'
import { clientHeaders } from './forward.ts'
import { createSemaphore } from './hashing.ts'
import { openPasswordEmails } from './password-emails.ts'
import { createPasswordChanges } from './passwords.ts'
import { localRoutes } from './routes.ts'
import { createLocalService } from './service.ts'
import {
  deleteAccess,
  deleteSession,
  endSessionsWithout,
  findAccountWords,
  readCurrentEmail,
  replacePassword,
} from './store.ts'

/** With `google`, users can also sign in through that issuer. With `emails`, users confirm their emails. */
type LocalSettings = AuthSettings & {
  rateLimit: boolean
  clock: () => Date
  google?: IssuerSettings | undefined
  issuerOnly?: boolean | undefined
  emails?: { mail: Mail; jobs: Jobs } | undefined
  registrationPolicy?: RegistrationPolicy | undefined
  onEmailChange?: EmailChangeHook | undefined
  onTakeover?: TakeoverHook | undefined
}

/** Creates the provider that needs no setup: accounts in this server's database, managed by better-auth. */
export async function createLocalProvider(settings: LocalSettings): Promise<Provider> {
  const { db, publicUrl, clock, google: issuer, emails, issuerOnly = false } = settings
  const auth = createAuth(settings)
  await auth.api.getJwks() // creates the first key now, so that concurrent sign-ins do not create several
  const confirmations = emails && (await createConfirmations({ ...settings, ...emails, issuer: ISSUER }))
  const semaphore = createSemaphore()
  const notices = emails && (await openPasswordEmails({ ...settings, ...emails }))
  const linkDeps = emails && { ...settings, ...emails }
  const passwordResets = await createPasswordResets({
    ...settings,
    issuerName: issuer?.name,
    linkDeps,
    semaphore,
    notices,
    replacePassword,
    findAccountWords,
  })
  const emailChanges = await createEmailChanges({
    ...settings,
    issuer: ISSUER,
    linkDeps,
    confirmations,
    deleteAccess,
  })
  const twoFactorNotices = emails && (await openTwoFactorEmails({ ...settings, ...emails }))
  const twoFactor = await createTwoFactor({ ...settings, semaphore, notices: twoFactorNotices })
  const secondSteps = createSecondSteps({
    ...settings,
    twoFactor,
    openSession: async (userId, client, hash) =>
      (await signIns.run({ ...(hash !== null && { hash }) }, () => openSession(auth, userId, client)))
        .cookies,
  })
  const devices = await createDevices({ ...settings, emails })
  const service = createLocalService({
    ...settings,
    issuerName: issuer?.name,
    auth,
    semaphore,
    confirmations,
    secondSteps,
  })
  const google =
    issuer &&
    createGoogleService({
      ...settings,
      issuer,
      localIssuer: ISSUER,
      openSession: async (userId, client) => (await openSession(auth, userId, client)).cookies,
      // If users sign in only through the issuer, the issuer also decides about second factors.
      secondSteps: issuerOnly ? { ...secondSteps, isNeeded: async () => false } : secondSteps,
    })
  const relyingParty = issuerOnly ? undefined : relyingPartyOf(publicUrl)
  const passkeyDeps = relyingParty && {
    ...settings,
    relyingParty,
    notices: linkDeps && (await openPasskeyEmails(linkDeps)),
    openSession: (userId: string, client: FastifyRequest) => openSession(auth, userId, client),
  }
  if (issuerOnly && issuer) await endSessionsWithout(db, issuer.issuer)
  return {
    options: {
      provider: 'local',
      google: google !== undefined,
      ...(issuer && { issuerName: issuer.name }),
      issuerOnly,
      passkeys: passkeyDeps !== undefined,
      sendsMail: emails !== undefined,
    },
    ...(!issuerOnly && {
      passwords: {
        ...createPasswordChanges({ ...settings, semaphore, notices }),
        makeResetLink: (trx, subject) => passwordResets.makeLink(trx, subject),
      },
      emailChanges,
      passkeys: passkeyDeps && createPasskeys(passkeyDeps),
      twoFactor,
    }),
    readEmail: readCurrentEmail,
    recognizeDevice: (trx, signIn) => devices.recognize(trx, signIn),
    verifyIdToken: (idToken) => verifyIdToken(auth, idToken, clock()),
    endSession: (session) => deleteSession(db, session),
    async mount(app) {
      localRoutes(app, { service, confirmations, passwordResets, publicUrl, issuerOnly })
      if (issuerOnly) refuseOtherSignIns(app, issuer?.name)
      if (google && issuer) googleRoutes(app, google, { publicUrl, issuerName: issuer.name })
      if (passkeyDeps) passkeySignInRoutes(app, createPasskeySignIn(passkeyDeps), publicUrl)
    },
  }
}

/** Opens a session for a client and returns its id and its cookies. */
async function openSession(
  auth: Auth,
  userId: string,
  client: FastifyRequest,
): Promise<{ id: string; cookies: string[] }> {
  const known = clientHeaders(client)
  if (client.headers.cookie !== undefined) known.set('cookie', client.headers.cookie)
  const { headers, response } = await auth.api.openSession({
    body: { userId },
    headers: known,
    returnHeaders: true,
  })
  return { id: response.id, cookies: headers.getSetCookie() }
}

type IdToken = {
  sub: string
  email: string
  email_verified: boolean
  name: string
  picture?: string
  sid: string
}

/** Verifies an ID token of the local provider; throws `not_signed_in`. */
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
