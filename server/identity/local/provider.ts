import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import { createDevices } from '#server/identity/devices/devices.ts'
import { createConfirmations } from '#server/identity/emailed-links/confirmation.ts'
import { createEmailChanges } from '#server/identity/emailed-links/email-change.ts'
import { createPasswordResets } from '#server/identity/emailed-links/password-reset.ts'
import type {
  EmailChangeHook,
  Provider,
  RegistrationPolicy,
  TakeoverHook,
} from '#server/identity/identity.ts'
import { issuerRoutes } from '#server/identity/issuer/routes.ts'
import { createIssuerSignIn } from '#server/identity/issuer/sign-in.ts'
import { refuseOtherSignIns } from '#server/identity/issuer-only.ts'
import { openPasskeyEmails } from '#server/identity/passkeys/emails.ts'
import { createPasskeyProofs } from '#server/identity/passkeys/proof.ts'
import { relyingPartyOf } from '#server/identity/passkeys/relying-party.ts'
import { passkeySignInRoutes } from '#server/identity/passkeys/routes.ts'
import { createPasskeySignIn, createPasskeys } from '#server/identity/passkeys/service.ts'
import { createProofs } from '#server/identity/proofs/proofs.ts'
import type { IssuerSettings } from '#server/identity/settings.ts'
import { openTwoFactorEmails } from '#server/identity/two-factor/emails.ts'
import { createSecondSteps, type SecondSteps } from '#server/identity/two-factor/second-step.ts'
import { createTwoFactor } from '#server/identity/two-factor/service.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createBrowserSessions } from './browser-sessions.ts'
import { createSemaphore, type HashCost } from './hashing.ts'
import { createIdTokens, ISSUER } from './id-tokens.ts'
import { openPasswordEmails } from './password-emails.ts'
import { createPasswordProofs } from './password-proof.ts'
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

/** With `issuer`, users can also sign in through it. With `emails`, users confirm their emails. */
type LocalSettings = {
  db: Kysely<Schema>
  secrets: Secrets
  publicUrl: string
  log: Logger
  rateLimit: boolean
  clock: () => Date
  /** The cost of a password hash. Only tests set it, because they sign in hundreds of times. */
  hashCost?: HashCost | undefined
  issuer?: IssuerSettings | undefined
  issuerOnly?: boolean | undefined
  emails?: { mail: Mail; jobs: Jobs } | undefined
  registrationPolicy?: RegistrationPolicy | undefined
  onEmailChange?: EmailChangeHook | undefined
  onTakeover?: TakeoverHook | undefined
}

/** Creates the provider that needs no setup: accounts in this server's database. */
export async function createLocalProvider(settings: LocalSettings): Promise<Provider> {
  const { db, publicUrl, issuer, emails, issuerOnly = false } = settings
  const idTokens = await createIdTokens(settings)
  const sessions = createBrowserSessions(settings)
  const semaphore = createSemaphore()
  const linkDeps = emails && { ...settings, ...emails }
  const confirmations = linkDeps && (await createConfirmations({ ...linkDeps, issuer: ISSUER }))
  const notices = linkDeps && (await openPasswordEmails(linkDeps))
  const shared = { ...settings, issuerName: issuer?.name, linkDeps, semaphore, notices, confirmations }
  const passwordResets = await createPasswordResets({ ...shared, replacePassword, findAccountWords })
  const emailChanges = await createEmailChanges({ ...shared, issuer: ISSUER, deleteAccess })
  const twoFactorNotices = linkDeps && (await openTwoFactorEmails(linkDeps))
  const twoFactor = await createTwoFactor({ ...settings, semaphore, notices: twoFactorNotices })
  const secondSteps = createSecondSteps({ ...settings, twoFactor, sessions })
  const devices = await createDevices(settings.clock, linkDeps)
  const service = createLocalService({ ...shared, sessions, idTokens, secondSteps })
  const relyingParty = issuerOnly ? undefined : relyingPartyOf(publicUrl)
  const proofs = createProofs({
    ...settings,
    passwords: issuerOnly ? undefined : createPasswordProofs({ ...settings, semaphore }),
    twoFactor,
    passkeys: relyingParty && createPasskeyProofs({ ...settings, relyingParty }),
    issuer: issuer?.issuer,
  })
  const passkeyDeps = relyingParty && {
    ...settings,
    relyingParty,
    notices: linkDeps && (await openPasskeyEmails(linkDeps)),
    openSession: (userId: string, client: FastifyRequest) => sessions.open(userId, client),
  }
  if (issuerOnly && issuer) await endSessionsWithout(db, issuer.issuer)
  return {
    options: {
      provider: 'local',
      google: issuer !== undefined,
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
    proofs,
    readEmail: readCurrentEmail,
    recognizeDevice: (trx, signIn) => devices.recognize(trx, signIn),
    verifyIdToken: (idToken) => idTokens.verify(idToken),
    endSession: (session) => deleteSession(db, session),
    async mount(app) {
      localRoutes(app, { service, confirmations, passwordResets, publicUrl, issuerOnly })
      if (issuerOnly) refuseOtherSignIns(app, issuer?.name)
      if (issuer) mountIssuer(app, { ...settings, issuer }, { sessions, secondSteps, proofs })
      if (passkeyDeps) passkeySignInRoutes(app, createPasskeySignIn(passkeyDeps), publicUrl)
    },
  }
}

type OfIssuer = {
  sessions: ReturnType<typeof createBrowserSessions>
  secondSteps: SecondSteps
  proofs: ReturnType<typeof createProofs>
}

/** Signing in through the issuer, and proving by it who one is. */
function mountIssuer(
  app: FastifyInstance,
  settings: LocalSettings & { issuer: IssuerSettings },
  { sessions, secondSteps, proofs }: OfIssuer,
): void {
  const { publicUrl, issuer, issuerOnly } = settings
  const signIn = createIssuerSignIn({
    ...settings,
    localIssuer: ISSUER,
    openSession: async (userId, client) => (await sessions.open(userId, client)).cookies,
    recordProof: ({ session, userId }) => proofs.byIssuer({ session, subject: userId }),
    // If users sign in only through the issuer, the issuer also decides about second factors.
    secondSteps: issuerOnly ? { ...secondSteps, isNeeded: async () => false } : secondSteps,
  })
  const findSession = async (request: FastifyRequest) => {
    const session = await sessions.find(request)
    return session && { session: session.id, userId: session.person.id }
  }
  issuerRoutes(app, signIn, { publicUrl, issuerName: issuer.name, findSession })
}
