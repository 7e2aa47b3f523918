import { sql } from 'kysely'
import type { AddressHook, TakeoverHook } from '#server/identity/identity.ts'
import type { Provider } from '#server/identity/provider.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { type AuthSettings, createAuth } from './auth.ts'
import { confirmationRoutes } from './confirmation/routes.ts'
import { createConfirmations } from './confirmation/service.ts'
import { createGoogle } from './google/mount.ts'
import type { IssuerSettings } from './google/settings.ts'
import { createGate } from './hashing.ts'
import { verifyIdToken } from './id-tokens.ts'
import { localRoutes } from './routes.ts'
import { createLocalService } from './service.ts'

/** With `google`, people may also be vouched for by that issuer; with `emails`, they confirm their addresses. */
type LocalSettings = AuthSettings & {
  clock: () => Date
  google?: IssuerSettings | undefined
  emails?: { mail: Mail; jobs: Jobs } | undefined
  onAddress?: AddressHook | undefined
  onTakeover?: TakeoverHook | undefined
}

/** The provider that needs nothing set up: accounts in this server's own database, kept by better-auth. */
export async function createLocalProvider(settings: LocalSettings): Promise<Provider> {
  const { db, publicUrl, clock, google, emails } = settings
  const auth = createAuth(settings)
  await auth.api.getJwks() // makes the first key now, not once for each of the first who come at one moment
  const confirmations = emails && (await createConfirmations({ ...settings, ...emails }))
  const service = createLocalService({ auth, db, gate: createGate(), clock, confirmations })
  const mountGoogle = google && createGoogle(auth, settings, google)
  return {
    options: { provider: 'local', google: google !== undefined },
    verifyIdToken: (idToken) => verifyIdToken(auth, idToken, clock()),
    async endSession(session) {
      await sql`delete from identity.session where id = ${session}`.execute(db)
    },
    async mount(app) {
      localRoutes(app, service, publicUrl)
      mountGoogle?.(app)
      if (confirmations) confirmationRoutes(app, { auth, confirmations, publicUrl })
    },
  }
}
