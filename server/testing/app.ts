import { pino } from 'pino'
import { createRegistration } from '#server/administration/registration.ts'
import { createTexts } from '#server/administration/texts.ts'
import { buildApp } from '#server/app.ts'
import { type AppOptions, inProcessOptions } from '#server/app-options.ts'
import { createClaimHook } from '#server/collaborators/identity-hooks.ts'
import type { Connection } from '#server/database/connect.ts'
import { testDatabase } from '#server/database/testing.ts'
import type { AppDeps } from '#server/deps.ts'
import type { EmailQueues } from '#server/email-queues.ts'
import { testInspector } from '#server/files/inspection/testing.ts'
import { defaultFileSettings } from '#server/files/settings.ts'
import { testMedia } from '#server/files/testing.ts'
import { testIdentity, testSecrets } from '#server/identity/testing.ts'
import { testRenderer } from '#server/markdown/testing.ts'
import { watchDisk } from '#server/platform/disk.ts'
import { createEvents } from '#server/platform/events/events.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import { testPainter } from '#server/public/picture/testing.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import { defaultQuotas } from '#server/quotas/settings.ts'
import { buildersFor } from './builders.ts'
import { createClient } from './client.ts'

export type TestApp = Awaited<ReturnType<typeof testApp>>

type Choices = Partial<AppOptions> & {
  /** If set, the server sends mail. */
  emails?: (deps: Pick<AppDeps, 'db' | 'tokenCipher' | 'log' | 'clock'>) => Promise<EmailQueues>
  /** Instead of an empty one. */
  database?: Connection
}

/**
 * Starts the whole API on its own database; `instead` replaces the usual dependencies. Close it after the tests of a file.
 */
export async function testApp(
  instead: Partial<AppDeps> = {},
  { emails, database: given, ...options }: Choices = {},
) {
  const database = given ?? (await testDatabase())
  const log = pino({ level: 'silent' })
  const time = { ahead: 0 }
  const clock = () => new Date(Date.now() + time.ahead)
  const events = createEvents({ db: database.db, log })
  const registration = createRegistration({ db: database.db, clock })
  const tokenCipher = createTokenCipher(testSecrets)
  const emailQueues = await emails?.({ db: database.db, tokenCipher, log, clock })
  const sendsMail = emails !== undefined
  const onEmailChange = createClaimHook({ events, sendsMail, clock, ...instead })
  const identity = testIdentity(database.db, clock, onEmailChange)
  await events.start(database.config)
  const { kept, close: closeMedia, ...media } = await testMedia(clock)
  const deps: AppDeps = {
    db: database.db,
    identity,
    events,
    sendsMail,
    emailQueues,
    texts: createTexts({ db: database.db, clock }),
    registration,
    tokenCipher,
    renderer: testRenderer,
    quotas: createQuotas({ ...defaultQuotas, clock }),
    ...media,
    inspector: testInspector(log),
    painter: testPainter,
    disk: watchDisk(undefined, () => new Date()),
    fileSettings: defaultFileSettings,
    trashDays: 30,
    privateWebhooks: false,
    deliversToWebhooks: true,
    log,
    clock,
    ...instead,
  }
  const settled = { ...inProcessOptions, ...options }
  const app = await buildApp(deps, settled)
  const client = createClient(app)
  return {
    ...client,
    ...buildersFor(deps, client),
    app,
    deps,
    pool: database.pool,
    config: database.config,
    /**
     * Starts another application on the same database and files, as on another machine. `own` are dependencies that it does
     * not share.
     */
    replica: (own: Partial<AppDeps> = {}, options: Partial<AppOptions> = {}) =>
      buildApp({ ...deps, ...own }, { ...settled, ...options }),
    /** Returns the names of the stored files. */
    kept,
    /** Moves the clock. */
    later: (milliseconds: number) => {
      time.ahead += milliseconds
    },
    close: async () => {
      await app.close()
      await events.stop()
      await database.close()
      await closeMedia()
    },
  }
}
