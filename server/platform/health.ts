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
      await sql`select 1`.execute(db)
    } catch (error) {
      request.log.warn({ err: error }, 'the database does not answer')
      throw new AppError('unavailable', 'The database does not answer', { retryAfter: 5 })
    }
    return { status: 'ready' }
  })
}

const shuttingDown = () => new AppError('unavailable', 'This server is shutting down', { retryAfter: 5 })
