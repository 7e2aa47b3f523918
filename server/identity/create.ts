import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { FirebaseOptions } from '#contract/identity.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createFirebaseProvider, firebaseIssuer } from './firebase/provider.ts'
import type {
  DeletionCancelledHook,
  EmailChangeHook,
  Identity,
  Provider,
  RegistrationPolicy,
  TakeoverHook,
} from './identity.ts'
import type { HashCost } from './local/hashing.ts'
import { ISSUER } from './local/id-tokens.ts'
import { createLocalProvider } from './local/provider.ts'
import { createProofRule } from './proofs/rule.ts'
import { createSessions } from './sessions.ts'
import type { IssuerSettings } from './settings.ts'
import { createTokens } from './tokens.ts'

export type IdentitySettings = {
  db: Kysely<Schema>
  secrets: Secrets
  publicUrl: string
  rateLimit: boolean
  log: Logger
  clock: () => Date
  /** If set, the local provider also accepts sign-ins through this issuer. */
  issuer?: IssuerSettings | undefined
  /** Whether that issuer is the only way to sign in. */
  issuerOnly?: boolean | undefined
  /** If set, users of the local provider confirm their emails. */
  emails?: { mail: Mail; jobs: Jobs } | undefined
  /** Decides who may register. If absent, everybody may. */
  registrationPolicy?: RegistrationPolicy | undefined
  /** Called when a user gets an email or verifies it. */
  onEmailChange?: EmailChangeHook | undefined
  /** Called when the owner of an email takes over the account that another person created with it. */
  onTakeover?: TakeoverHook | undefined
  /** Called when a user cancels the deletion of their account. */
  onDeletionCancelled?: DeletionCancelledHook | undefined
  /** The cost of a password hash. Only tests set it, because they sign in hundreds of times. */
  hashCost?: HashCost | undefined
  /** If set, Firebase replaces the local provider. */
  firebase?: FirebaseOptions | undefined
}

/** Creates the identity service with the provider that the settings choose. The database must be migrated. */
export async function createIdentity(settings: IdentitySettings): Promise<Identity> {
  const { firebase } = settings
  const provider = firebase
    ? createFirebaseProvider({ ...settings, firebase })
    : await createLocalProvider(settings)
  return assembleIdentity(settings, provider)
}

/** The issuer of the accounts that can sign in to this server. */
export const issuerOfAccounts = (firebase: FirebaseOptions | undefined): string =>
  firebase ? firebaseIssuer(firebase.projectId) : ISSUER

/** Combines the application's tokens and sessions with a provider. */
export function assembleIdentity(
  {
    db,
    secrets,
    clock,
    registrationPolicy,
    onEmailChange,
    onDeletionCancelled,
  }: Pick<
    IdentitySettings,
    'db' | 'secrets' | 'clock' | 'registrationPolicy' | 'onEmailChange' | 'onDeletionCancelled'
  >,
  provider: Provider,
): Identity {
  const sessions = createSessions({
    db,
    provider,
    tokens: createTokens(secrets, clock),
    clock,
    registrationPolicy,
    onEmailChange,
    onDeletionCancelled,
  })
  return {
    ...sessions,
    options: provider.options,
    passwords: provider.passwords,
    emailChanges: provider.emailChanges,
    passkeys: provider.passkeys,
    twoFactor: provider.twoFactor,
    requireProof: createProofRule({ db, clock }),
    proofs: provider.proofs,
    mountProvider: (app) => provider.mount(app),
  }
}
