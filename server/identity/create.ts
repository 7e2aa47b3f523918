import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { FirebaseOptions } from '#contract/identity.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { createFirebaseProvider } from './firebase/provider.ts'
import type { AddressHook, Identity, TakeoverHook } from './identity.ts'
import type { IssuerSettings } from './local/google/settings.ts'
import type { HashCost } from './local/hashing.ts'
import { createLocalProvider } from './local/provider.ts'
import type { Provider } from './provider.ts'
import type { Secrets } from './secrets.ts'
import { createSessions } from './service.ts'
import { createTokens } from './tokens.ts'

export type IdentitySettings = {
  db: Kysely<Schema>
  secrets: Secrets
  publicUrl: string
  rateLimit: boolean
  log: Logger
  clock: () => Date
  /** Given: the local provider lets people sign in by this issuer too. */
  google?: IssuerSettings | undefined
  /** Given: the local provider has people confirm their addresses by mail. */
  emails?: { mail: Mail; jobs: Jobs } | undefined
  /** Given: called whenever an address becomes somebody's, or is verified as theirs. */
  onAddress?: AddressHook | undefined
  /** Given: called when somebody takes over the account that another person made with their address. */
  onTakeover?: TakeoverHook | undefined
  /** What hashing a password takes. Only tests, which sign in by the hundred, give one. */
  hashCost?: HashCost | undefined
  /** Given: Firebase is the provider, and nothing of the local one is prepared. */
  firebase?: FirebaseOptions | undefined
}

/** The identity of this server, with the provider that the settings choose. The database must be migrated. */
export async function createIdentity(settings: IdentitySettings): Promise<Identity> {
  const { firebase } = settings
  const provider = firebase
    ? createFirebaseProvider({ ...settings, firebase })
    : await createLocalProvider(settings)
  return assembleIdentity(settings, provider)
}

/** Our tokens and sessions on any provider. */
export function assembleIdentity(
  { db, secrets, clock, onAddress }: Pick<IdentitySettings, 'db' | 'secrets' | 'clock' | 'onAddress'>,
  provider: Provider,
): Identity {
  const sessions = createSessions({ db, provider, tokens: createTokens(secrets, clock), clock, onAddress })
  return { ...sessions, options: provider.options, mountProvider: (app) => provider.mount(app) }
}
