import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, type PoolConfig } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import { SERVER_LIMITS } from './connect.ts'
import { endWithin } from './guard.ts'

/** The time limit of one check at the start. */
export const CHECK_TIMEOUT_MS = 5_000

const NOTIFY_EVERY_MS = 250

/** Creates a connection with the same startup parameters as the pool's, and with timeouts. */
export function probe(config: PoolConfig): Client {
  const client = new Client({
    application_name: 'milepost start',
    ...SERVER_LIMITS,
    ...config,
    connectionTimeoutMillis: CHECK_TIMEOUT_MS,
    query_timeout: CHECK_TIMEOUT_MS,
  })
  // An error also rejects the pending query or connection attempt.
  client.on('error', () => undefined)
  return client
}

/** Throws CannotStart if a pooler refuses the startup parameters of our connections. */
export function refuseStrictPooler(error: unknown): void {
  if (!(error instanceof Error) || !/unsupported startup parameter/i.test(error.message)) return
  const names = Object.keys(SERVER_LIMITS).join(',')
  throw new CannotStart(
    `The pooler of DATABASE_URL refuses the time limits that Milepost sets for its connections: give pgbouncer ignore_startup_parameters = ${names}, and the role of the database these two settings.`,
    { cause: error },
  )
}

/**
 * Throws CannotStart if a pooler assigns a different connection to each transaction (pgbouncer: `pool_mode = transaction`):
 * LISTEN and prepared statements would then apply to other clients. Checks it by listening on one connection and notifying
 * on another.
 */
export async function requireSession(config: PoolConfig, timeoutMs = CHECK_TIMEOUT_MS): Promise<void> {
  const [listener, notifier] = [probe(config), probe(config)]
  const isHeard = Promise.withResolvers<boolean>()
  listener.on('notification', () => isHeard.resolve(true))
  const channel = `milepost_start_${randomBytes(6).toString('hex')}`
  try {
    await Promise.all([listener.connect(), notifier.connect()])
    await listener.query(`listen ${channel}`)
    const deadline = Date.now() + timeoutMs
    do {
      await notifier.query(`notify ${channel}`)
      if (await Promise.race([isHeard.promise, pause(NOTIFY_EVERY_MS, false)])) return
    } while (Date.now() < deadline)
  } finally {
    await Promise.all([listener, notifier].map((client) => endWithin(client, CHECK_TIMEOUT_MS)))
  }
  throw new CannotStart(
    'DATABASE_URL leads to a pooler that gives each transaction another connection: set pool_mode = session in pgbouncer, or let DATABASE_URL lead to PostgreSQL itself.',
  )
}
