import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { CannotStart } from './cannot-start.ts'
import { openInvitationLetters } from './collaborators/letters.ts'
import { createAddressHook } from './collaborators/newcomers.ts'
import { openDatabase } from './database/open.ts'
import { createIdentity } from './identity/create.ts'
import { loadSecrets } from './identity/secrets.ts'
import { startSweepingIdentity } from './identity/sweep.ts'
import { drain, listen } from './listen.ts'
import { createLinks } from './media/links.ts'
import { startSweeping } from './media/sweep.ts'
import { startSweepingNotifications } from './notifications/sweep.ts'
import { createEvents } from './platform/events/events.ts'
import { openFiles } from './platform/files/files.ts'
import { createJobs } from './platform/jobs.ts'
import { createLeases } from './platform/leases.ts'
import { createLogger } from './platform/logger.ts'
import { createMail } from './platform/mail/mail.ts'
import { createMetrics } from './platform/metrics/metrics.ts'
import { closeMetricsServer, createMetricsServer, openMetricsServer } from './platform/metrics/serve.ts'
import { dropOldUploads } from './platform/uploads.ts'
import { loadEnvFile, readSettings, type Settings } from './settings.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'

const tell = (text: string) => process.stdout.write(`${text}\n`)

async function start(settings: Settings, log: Logger, shutdown: Shutdown) {
  const database = await openDatabase(settings, {
    log,
    progress: tell,
    lost: (error) => {
      log.fatal({ err: error }, 'the database is lost: stopping')
      void shutdown.end(1)
    },
  })
  shutdown.closes('the database', database.close)

  const { db } = database
  const events = createEvents({ db, log })
  shutdown.closes('the news of other servers', () => events.stop())
  await events.start(database.config)
  const clock = () => new Date()
  const secrets = await loadSecrets(settings)
  const files = await openFiles(settings)
  await dropOldUploads(log)
  const links = createLinks(secrets, clock)
  shutdown.closes('the sweep of images', startSweeping({ db, files, log }))
  const metrics = settings.metrics && createMetrics(database.pool)
  const jobs = createJobs({ db, log, worked: metrics?.worked })
  shutdown.closes('the jobs', () => jobs.stop())
  const letters = settings.mail && { mail: createMail(settings.mail), jobs }
  const invitationLetters =
    letters && (await openInvitationLetters({ ...settings, ...letters, db, log, clock }))
  const onAddress = createAddressHook({ events, invitationLetters, clock })
  const identity = await createIdentity({ ...settings, db, secrets, letters, onAddress, log, clock })
  shutdown.closes('the sweep of sessions', startSweepingIdentity({ db, log, clock }))
  shutdown.closes('the sweep of notifications', startSweepingNotifications({ db, log, clock }))
  const pages = settings.development ? 'development' : 'built'
  const leases = createLeases()
  const parts = { db, identity, events, invitationLetters, leases, files, links, log, clock }
  const app = await buildApp(parts, {
    ...settings,
    pages,
    pool: database.pool,
    load: { limits: settings.loadLimits, pool: database.pool },
    metrics: metrics && { figures: metrics, token: settings.metrics?.token },
  })
  shutdown.closes('the server', () => drain(app, { seconds: settings.drainSeconds }))

  if (metrics && settings.metrics?.address) {
    const figures = createMetricsServer(metrics, log)
    shutdown.closes('the address of the metrics', () => closeMetricsServer(figures))
    await openMetricsServer(figures, settings.metrics.address)
  }
  await listen(app, settings)
  tell(`Milepost is ready: ${settings.publicUrl}`)
}

async function main() {
  loadEnvFile('.env')
  const settings = readSettings(process.env)
  const log = createLogger(settings.logLevel)
  const shutdown = createShutdown(log)
  const started = start(settings, log, shutdown)
  shutdown.waitsFor(started)
  try {
    await started
  } catch (error) {
    if (error instanceof CannotStart) tellProblem(error)
    else log.fatal({ err: error }, 'the start failed')
    await shutdown.end(1)
  }
}

const tellProblem = (error: CannotStart) => process.stderr.write(`${error.message}\n`)

try {
  await main()
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  tellProblem(error)
  process.exitCode = 1
}
