import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { FirebaseOptions } from '#contract/identity.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { createFirebaseProvider } from './firebase/provider.ts'
import type { EmailChangeHook, Identity, Provider, TakeoverHook } from './identity.ts'
import type { HashCost } from './local/hashing.ts'
import { createLocalProvider } from './local/provider.ts'
import type { Secrets } from './secrets.ts'
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
  /** If given, the local provider also accepts sign-ins by this issuer. */
  google?: IssuerSettings | undefined
  /** If given, the local provider has people confirm their email addresses. */
  emails?: { mail: Mail; jobs: Jobs } | undefined
  /** Called when a user gets an email, or verifies it. */
  onEmailChange?: EmailChangeHook | undefined
  /** Called when somebody takes over the account that another person made with their email. */
  onTakeover?: TakeoverHook | undefined
  /** The cost of a password hash. Only tests, which sign in hundreds of times, set it. */
  hashCost?: HashCost | undefined
  /** If given, Firebase is the provider instead of the local one. */
  firebase?: FirebaseOptions | undefined
}

/** Creates the identity of this server, with the provider that the settings choose. The database must be migrated. */
export async function createIdentity(settings: IdentitySettings): Promise<Identity> {
  const { firebase } = settings
  const provider = firebase
    ? createFirebaseProvider({ ...settings, firebase })
    : await createLocalProvider(settings)
  return assembleIdentity(settings, provider)
}

/** Combines our tokens and sessions with a provider. */
export function assembleIdentity(
  { db, secrets, clock, onEmailChange }: Pick<IdentitySettings, 'db' | 'secrets' | 'clock' | 'onEmailChange'>,
  provider: Provider,
): Identity {
  const sessions = createSessions({
    db,
    provider,
    tokens: createTokens(secrets, clock),
    clock,
    onEmailChange,
  })
  return { ...sessions, options: provider.options, mountProvider: (app) => provider.mount(app) }
}
