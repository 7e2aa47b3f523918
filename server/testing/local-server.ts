import { pino } from 'pino'
import type { RegistrationMode } from '#contract/identity.ts'
import { createDeletionCancelledHook } from '#server/account/deletion.ts'
import { createRegistration } from '#server/administration/registration.ts'
import { createRegistrationPolicy } from '#server/administration/registration-policy.ts'
import { createTexts } from '#server/administration/texts.ts'
import { buildApp } from '#server/app.ts'
import { inProcessOptions } from '#server/app-options.ts'
import { testDatabase } from '#server/database/testing.ts'
import { openEmailQueues } from '#server/features.ts'
import { testInspector } from '#server/files/inspection/testing.ts'
import { defaultFileSettings } from '#server/files/settings.ts'
import { testMedia } from '#server/files/testing.ts'
import { createIdentity, type IdentitySettings } from '#server/identity/create.ts'
import { testRenderer } from '#server/markdown/testing.ts'
import { watchDisk } from '#server/platform/disk.ts'
import { createEvents } from '#server/platform/events/events.ts'
import { createJobs } from '#server/platform/jobs.ts'
import { createLogger } from '#server/platform/log/logger.ts'
import { createMail } from '#server/platform/mail/smtp.ts'
import { mailSink } from '#server/platform/mail/testing.ts'
import { derive } from '#server/platform/secrets.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import { testPainter } from '#server/public/picture/testing.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import { defaultQuotas } from '#server/quotas/settings.ts'

export type TestServer = Awaited<ReturnType<typeof testServer>>

/** A cost so low that hundreds of sign-ins take no noticeable time. */
const CHEAP_HASH = { memoryCost: 64, timeCost: 1, parallelism: 1 }

/** Starts the whole API with the local provider, on its own or the given database. */
export async function testServer(
  overrides: Partial<IdentitySettings> & { registration?: RegistrationMode } = {},
) {
  const database = overrides.db ? null : await testDatabase()
  const logged: string[] = []
  const time = { now: new Date() }
  const log = createLogger('trace', { write: (line) => void logged.push(line) })
  const settings = {
    secrets: { current: derive('the secret of a server under test'), previous: null },
    publicUrl: 'http://localhost:4400',
    rateLimit: false,
    hashCost: CHEAP_HASH,
    log,
    clock: () => time.now,
    ...(database && { db: database.db }),
    ...overrides,
  } as IdentitySettings
  const events = createEvents(settings)
  const onDeletionCancelled = createDeletionCancelledHook({ ...settings, events })
  const registration = createRegistration({ ...settings, registration: overrides.registration })
  const registrationPolicy =
    overrides.registration && createRegistrationPolicy({ registration, clock: settings.clock })
  const identity = await createIdentity({ registrationPolicy, ...settings, onDeletionCancelled })
  const { files, links, close: closeMedia } = await testMedia(settings.clock)
  const { db, clock } = settings
  const quotas = createQuotas({ ...defaultQuotas, clock })
  const tokenCipher = createTokenCipher(settings.secrets)
  const deps = {
    db,
    identity,
    events,
    sendsMail: false,
    mail: settings.emails?.mail,
    texts: createTexts(settings),
    registration,
    emailQueues:
      settings.emails &&
      (await openEmailQueues({ ...settings, ...settings.emails, tokenCipher, links, events })),
    tokenCipher,
    renderer: testRenderer,
    quotas,
    files,
    inspector: testInspector(log),
    painter: testPainter,
    disk: watchDisk(undefined, () => new Date()),
    fileSettings: defaultFileSettings,
    trashDays: 30,
    privateWebhooks: false,
    deliversToWebhooks: true,
    links,
    log,
    clock,
  }
  const { publicUrl } = settings
  const app = await buildApp(deps, { ...inProcessOptions, publicUrl })
  const close = async () => {
    await app.close()
    await database?.close()
    await closeMedia()
  }
  return { app, deps, settings, logged, time, close }
}

export type MailingTestServer = Awaited<ReturnType<typeof mailingTestServer>>

/** Starts the whole API with email, which goes to a sink. */
export async function mailingTestServer(
  overrides: Partial<IdentitySettings> & { registration?: RegistrationMode } = {},
) {
  const { db, close: closeDatabase } = await testDatabase()
  const sink = await mailSink()
  const jobs = createJobs(
    { db, log: pino({ level: 'silent' }) },
    { pollSeconds: 0.5, retrySeconds: 1, longestPauseSeconds: 1 },
  )
  const server = await testServer({ db, emails: { mail: createMail(sink.settings()), jobs }, ...overrides })
  const close = async () => {
    await server.close()
    await jobs.stop()
    await sink.stop()
    await closeDatabase()
  }
  return { ...server, db, sink, close }
}
