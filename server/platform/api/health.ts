import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { READ_ONLY_QUERY, ReadOnlyDatabase } from '#server/database/outage.ts'
import type { Disk } from '#server/platform/disk.ts'
import { limitRequests } from '#server/platform/limits/requests.ts'
import { AppError, storageFull } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** `leaving`: this process still serves requests but will stop soon. `closing`: it refuses requests. */
    health: { leaving: boolean; closing: boolean }
  }
}

/**
 * `/healthz` is liveness, `/readyz` readiness: 503 while the process is leaving, or its database does not respond or is a
 * standby, or a disk is full.
 * Once the app closes, all other requests are refused. `/healthz` needs no database and has no rate limit.
 */
export async function mountHealth<S>(
  app: FastifyInstance,
  db: Kysely<S>,
  { rateLimit, disk }: { rateLimit: boolean; disk: Disk },
): Promise<void> {
  const health = { leaving: false, closing: false }
  app.decorate('health', health)
  app.addHook('preClose', async () => {
    health.closing = true
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (health.closing && request.url !== '/healthz') done(shuttingDown())
    else done()
  })
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
  await app.register(async (limited) => {
    if (rateLimit) await limitRequests(limited)
    limited.get('/readyz', { logLevel: 'warn' }, async (request) => {
      if (health.leaving) throw shuttingDown()
      try {
        await withTimeout(requireWritable(db))
      } catch (error) {
        request.log.warn({ err: error }, 'the database cannot be used')
        const problem =
          error instanceof ReadOnlyDatabase ? 'The database takes no writes' : 'The database does not answer'
        throw new AppError('unavailable', problem, { retryAfter: 5 })
      }
      if (await disk.isFull()) throw storageFull()
      return { status: 'ready' }
    })
  })
}

async function requireWritable<S>(db: Kysely<S>): Promise<void> {
  const { rows } = await sql<{ read_only: boolean }>`${sql.raw(READ_ONLY_QUERY)}`.execute(db)
  if (rows[0]?.read_only !== false) throw new ReadOnlyDatabase()
}

/** Load balancers treat a slower response as a failure. */
const TIMEOUT_MS = 3_000

async function withTimeout(work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the database took too long')), TIMEOUT_MS)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const shuttingDown = () => new AppError('unavailable', 'This server is shutting down', { retryAfter: 5 })
