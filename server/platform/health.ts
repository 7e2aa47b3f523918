import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { AppError } from './errors.ts'

/** `/healthz`: the process answers. `/readyz`: it should be sent work; 503 while draining or without its database. */
export function mountHealth<S>(app: FastifyInstance, db: Kysely<S>): void {
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })
  app.addHook('onRequest', async (request) => {
    if (draining && request.url !== '/healthz') throw shuttingDown()
  })
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
  app.get('/readyz', { logLevel: 'warn' }, async (request) => {
    try {
      await inTime(sql`select 1`.execute(db))
    } catch (error) {
      request.log.warn({ err: error }, 'the database does not answer')
      throw new AppError('unavailable', 'The database does not answer', { retryAfter: 5 })
    }
    return { status: 'ready' }
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
