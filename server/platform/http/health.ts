import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { AppError } from '#server/platform/errors.ts'
import { limitRequests } from '#server/platform/limits/requests.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** `leaving`: this process still works, and will soon stop. `closing`: it answers no more. */
    health: { leaving: boolean; closing: boolean }
  }
}

/**
 * `/healthz`: the process answers. `/readyz`: it should be sent work; 503 while it is leaving or without its database.
 * Once the app closes, everything else is refused as well. `/healthz` asks nothing of anybody and has no rate limit.
 */
export async function mountHealth<S>(
  app: FastifyInstance,
  db: Kysely<S>,
  { rateLimit }: { rateLimit: boolean },
): Promise<void> {
  const health = { leaving: false, closing: false }
  app.decorate('health', health)
  app.addHook('preClose', async () => {
    health.closing = true
  })
  app.addHook('onRequest', async (request) => {
    if (health.closing && request.url !== '/healthz') throw shuttingDown()
  })
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
  await app.register(async (limited) => {
    if (rateLimit) await limitRequests(limited)
    limited.get('/readyz', { logLevel: 'warn' }, async (request) => {
      if (health.leaving) throw shuttingDown()
      try {
        await inTime(sql`select 1`.execute(db))
      } catch (error) {
        request.log.warn({ err: error }, 'the database does not answer')
        throw new AppError('unavailable', 'The database does not answer', { retryAfter: 5 })
      }
      return { status: 'ready' }
    })
  })
}

/** What takes longer is as good as no answer to who decides where to send work. */
const PATIENCE_MS = 3_000

async function inTime(work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the database took too long')), PATIENCE_MS)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const shuttingDown = () => new AppError('unavailable', 'This server is shutting down', { retryAfter: 5 })
