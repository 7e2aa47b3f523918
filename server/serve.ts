import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { createDeletionCancelledHook } from './account/deletion.ts'
import { createAdministratorTakeoverHook } from './administration/people.ts'
import { createRegistration, warnWithoutAdministrator } from './administration/registration.ts'
import { createRegistrationPolicy } from './administration/registration-policy.ts'
import { createTexts } from './administration/texts.ts'
import { buildApp } from './app.ts'
import { createClaimHook, createTakeoverHook } from './collaborators/identity-hooks.ts'
import type { Connection } from './database/connect.ts'
import type { JobDeps, TaskDeps } from './feature.ts'
import { features, openEmailQueues } from './features.ts'
import { dropOldIncoming } from './files/incoming.ts'
import { createInspector } from './files/inspection/inspect.ts'
import { createLinks } from './files/links.ts'
import { createIdentity } from './identity/create.ts'
import type { TakeoverHook } from './identity/identity.ts'
import { warnOfUnusablePasskeys } from './identity/passkeys/relying-party.ts'
import { drain, listen } from './listen.ts'
import { createRenderer } from './markdown/renderer.ts'
import { dropOldUploads } from './platform/api/uploads.ts'
import { diskWarning, watchDisk } from './platform/disk.ts'
import { createEvents } from './platform/events/events.ts'
import { createJobs } from './platform/jobs.ts'
import type { Mail } from './platform/mail/mail.ts'
import type { MailSettings } from './platform/mail/settings.ts'
import {
  closeMetricsServer,
  createMetricsServer,
  type Metrics,
  openMetricsServer,
} from './platform/metrics/metrics.ts'
import { startSchedule } from './platform/schedule.ts'
import type { Secrets } from './platform/secrets.ts'
import { openFiles } from './platform/storage/open.ts'
import { createTokenCipher } from './platform/token-cipher.ts'
import { createPainter } from './public/picture/pictures.ts'
import { createQuotas } from './quotas/quotas.ts'
import type { Settings } from './settings.ts'
import type { Shutdown } from './shutdown.ts'
import { createDeliverer } from './webhooks/deliver.ts'
import { createSend } from './webhooks/send.ts'

type Deps = { settings: Settings; secrets: Secrets; log: Logger; shutdown: Shutdown; database: Connection }

/** Creates the dependencies on an open database, builds the application and listens. `shutdown` closes opened resources. */
export async function serve({ settings, secrets, log, shutdown, database }: Deps): Promise<void> {
  const { db } = database
  const events = createEvents({ db, log })
  shutdown.closes('the events of other servers', () => events.stop())
  await events.start(database.config)
  const clock = () => new Date()
  const files = await openFiles(settings, (sentence) => log.warn(sentence))
  await dropOldUploads(log)
  await dropOldIncoming({ folder: files.incoming, log })
  const tokenCipher = createTokenCipher(secrets)
  const links = createLinks(secrets, clock)
  const metrics = settings.metrics && (await openMetrics(database.pool))
  const jobs = createJobs({ db, log, onJobDone: metrics?.onJobDone })
  shutdown.closes('the jobs', () => jobs.stop())
  const emails = settings.mail && { mail: await openMail(settings.mail, settings.publicUrl), jobs }
  const emailQueues =
    emails && (await openEmailQueues({ ...settings, ...emails, tokenCipher, links, db, log, clock, events }))
  const sendsMail = settings.mail !== undefined
  const registration = createRegistration({ ...settings, db, clock })
  const hooks = {
    onEmailChange: createClaimHook({ events, sendsMail, clock }),
    registrationPolicy: createRegistrationPolicy({ registration, clock }),
    onTakeover: bothHooks(createTakeoverHook({ events, clock }), createAdministratorTakeoverHook({ clock })),
    onDeletionCancelled: createDeletionCancelledHook({ events, clock }),
  }
  const identity = await createIdentity({ ...settings, ...hooks, db, secrets, emails, log, clock })
  const send = createSend({ privateNetworks: settings.privateWebhooks })
  const deliverer = createDeliverer({ ...settings, db, events, tokenCipher, clock, send, log })
  shutdown.closes('the deliveries to webhooks', deliverer.stop)
  if (!settings.deliversToWebhooks) log.warn('WEBHOOK_DELIVERIES is off: events for webhooks are queued')
  const storesHere = !settings.databaseUrl || !settings.bucket
  const disk = watchDisk(storesHere ? settings.dataDir : undefined, clock)
  const renderer = createRenderer(log)
  shutdown.closes('the renderer of Markdown', () => renderer.close())
  const quotas = createQuotas({ ...settings, clock })
  const writing = { renderer, quotas, inspector: createInspector(log), links }
  const shared = { db, events, files, deliverer, sendsMail, emailQueues, disk, clock, log, features }
  const taskDeps = { ...settings, ...shared, ...writing, fileSettings: settings }
  startBackgroundWork(taskDeps, { db, renderer, jobs, log }, shutdown)
  const painter = createPainter(log)
  shutdown.closes('the painter of share pictures', () => painter.close())
  const deps = {
    db,
    identity,
    events,
    sendsMail,
    mail: emails?.mail,
    emailQueues,
    texts: createTexts({ ...settings, db, clock }),
    registration,
    tokenCipher,
    ...writing,
    files,
    painter,
    disk,
    fileSettings: settings,
    trashDays: settings.trashDays,
    privateWebhooks: settings.privateWebhooks,
    deliversToWebhooks: settings.deliversToWebhooks,
    log,
    clock,
  }
  if (metrics) for (const { gauges } of features) gauges?.(metrics, deps)
  const app = await buildApp(deps, {
    ...settings,
    pages: settings.development ? 'development' : 'built',
    load: { limits: settings.loadLimits, pool: database.pool },
    metrics: metrics && { figures: metrics, token: settings.metrics?.token },
  })
  shutdown.closes('the server', () => drain(app, { seconds: settings.drainSeconds }))

  if (metrics && settings.metrics?.address) {
    const figures = createMetricsServer(metrics, log)
    shutdown.closes('the metrics server', () => closeMetricsServer(figures))
    await openMetricsServer(figures, settings.metrics.address)
  }
  await listen(app, settings)
  await warnWithoutAdministrator(db, log)
  await warnOfUnusablePasskeys(db, { ...settings, log })
}

/** Starts the tasks and the durable jobs of all features. `shutdown` stops them. */
function startBackgroundWork(
  taskDeps: Parameters<typeof diskWarning>[0] & TaskDeps,
  jobDeps: JobDeps,
  shutdown: Shutdown,
) {
  const { log } = jobDeps
  const tasks = [...features.flatMap((feature) => feature.tasks?.(taskDeps) ?? []), diskWarning(taskDeps)]
  shutdown.closes('the scheduled tasks', startSchedule(tasks, log))
  for (const { name, jobs: start } of features) {
    const stop = start?.(jobDeps).catch((error: unknown) => {
      log.error({ err: error }, `the background work of the feature ${name} has not started`)
    })
    shutdown.closes(`the background work of the feature ${name}`, async () => (await stop)?.())
  }
}

/** Combines the hooks of two features. They run sequentially. */
function bothHooks(first: TakeoverHook, second: TakeoverHook): TakeoverHook {
  return async (trx, userId) => {
    const afterwards = [await first(trx, userId), await second(trx, userId)]
    return () => afterwards.forEach((run) => run())
  }
}

/** Loaded only if metrics are enabled, before the server listens. */
async function openMetrics(pool: Pool): Promise<Metrics> {
  const { createMetrics } = await import('./platform/metrics/prometheus.ts')
  return createMetrics(pool)
}

/** Loaded only if this server sends mail. */
async function openMail(settings: MailSettings, publicUrl: string): Promise<Mail> {
  const { createMail, greetingOf } = await import('./platform/mail/smtp.ts')
  return createMail(settings, greetingOf(publicUrl, settings.from))
}
