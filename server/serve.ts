import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { openInvitationEmails } from './collaborators/emails.ts'
import { createClaimHook, createTakeoverHook } from './collaborators/identity-hooks.ts'
import { createTokenCipher } from './collaborators/token.ts'
import type { Connection } from './database/connect.ts'
import { startRerendering } from './entries/rerendering.ts'
import { imageSweep } from './files/entry-image/sweep.ts'
import { dropOldIncoming } from './files/incoming.ts'
import { createLinks } from './files/links.ts'
import { fileSweep } from './files/sweep.ts'
import { createIdentity } from './identity/create.ts'
import type { Secrets } from './identity/secrets.ts'
import { identitySweep } from './identity/sessions.ts'
import { drain, listen } from './listen.ts'
import { createRenderer } from './markdown/renderer.ts'
import { notificationSweep } from './notifications/service.ts'
import { createEvents } from './platform/events/events.ts'
import { openFiles } from './platform/files/open.ts'
import { dropOldUploads } from './platform/http/uploads.ts'
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
import { createQuotas, measureStorage } from './quotas/quotas.ts'
import type { Settings } from './settings.ts'
import type { Shutdown } from './shutdown.ts'

type Deps = { settings: Settings; secrets: Secrets; log: Logger; shutdown: Shutdown; database: Connection }

/** Creates the dependencies on an open database, builds the application and listens. `shutdown` closes what is opened. */
export async function serve({ settings, secrets, log, shutdown, database }: Deps): Promise<void> {
  const { db } = database
  const events = createEvents({ db, log })
  shutdown.closes('the events of other servers', () => events.stop())
  await events.start(database.config)
  const clock = () => new Date()
  const files = await openFiles(settings)
  await dropOldUploads(log)
  await dropOldIncoming({ folder: files.incoming, log })
  const tokenCipher = createTokenCipher(secrets)
  const links = createLinks(secrets, clock)
  const metrics = settings.metrics && (await openMetrics(database.pool))
  const jobs = createJobs({ db, log, worked: metrics?.worked })
  shutdown.closes('the jobs', () => jobs.stop())
  const emails = settings.mail && { mail: await openMail(settings.mail), jobs }
  const invitationEmails =
    emails && (await openInvitationEmails({ ...settings, ...emails, tokenCipher, db, log, clock }))
  const sendsMail = settings.mail !== undefined
  const onEmailChange = createClaimHook({ events, sendsMail, clock })
  const hooks = { onEmailChange, onTakeover: createTakeoverHook({ events, clock }) }
  const identity = await createIdentity({ ...settings, ...hooks, db, secrets, emails, log, clock })
  const tasks = [
    imageSweep({ db, files, log }),
    fileSweep({ db, files, log }),
    identitySweep({ db, clock }),
    notificationSweep({ db, clock }),
  ]
  shutdown.closes('the scheduled tasks', startSchedule(tasks, log))
  const renderer = createRenderer(log)
  shutdown.closes('the renderer of Markdown', () => renderer.close())
  const rerendering = startRerendering({ db, renderer, jobs }).catch((error: unknown) => {
    log.error({ err: error }, 'older entries are not rendered in the background, but when they are read')
  })
  shutdown.closes('the rendering of older entries', async () => (await rerendering)?.())
  const pages = settings.development ? 'development' : 'built'
  const quotas = createQuotas({ ...settings, clock })
  if (metrics) measureStorage(metrics, { db, quotas, log })
  const deps = {
    db,
    identity,
    events,
    sendsMail,
    invitationEmails,
    tokenCipher,
    renderer,
    quotas,
    files,
    fileSettings: settings,
    links,
    log,
    clock,
  }
  const app = await buildApp(deps, {
    ...settings,
    pages,
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
}

/** Loaded only by servers that use it, and still before they listen. */
async function openMetrics(pool: Pool): Promise<Metrics> {
  const { createMetrics } = await import('./platform/metrics/metrics.ts')
  return createMetrics(pool)
}

async function openMail(settings: MailSettings): Promise<Mail> {
  const { createMail } = await import('./platform/mail/mail.ts')
  return createMail(settings)
}
