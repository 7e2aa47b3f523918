import { callbackify } from 'node:util'
import { Kysely, PostgresDialect } from 'kysely'
import { type ClientBase, Pool, type PoolConfig, types } from 'pg'
import type { BaseLogger } from 'pino'
import { limitDisconnect, limitResponseTime, reportOutcomes } from './guard.ts'
import { queryByCallback } from './pg-queries.ts'
import { preparedName } from './prepared.ts'
import type { Schema } from './rows.ts'
import { beginSession } from './session.ts'

/** `config` is for a connection outside the pool. */
export type Connection = {
  pool: Pool
  db: Kysely<Schema>
  config: PoolConfig
  close: () => Promise<void>
}

/** The server-side timeouts of a connection, in milliseconds: no query and no idle transaction occupies it indefinitely. */
export const SERVER_LIMITS = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 15_000 }

/** Settings of a connection that long tasks use and that may be idle while a task does something else. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 60_000 }

/**
 * Removes all time limits of a connection for a long task, such as a migration or a backup. The role or the database may have
 * defaults for them. Servers before PostgreSQL 17 have no `transaction_timeout`.
 */
export async function removeTimeLimits(client: ClientBase): Promise<void> {
  await client.query(`
    select set_config(name, '0', false) from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
      'idle_session_timeout', 'transaction_timeout')`)
}

/** How long after `statement_timeout` a database server without a response counts as frozen. */
const GRACE_MS = 5_000

const INT8 = 20
const DATE = 1082

/**
 * Opens a connection pool with kysely. Refuses connections to read-only servers, and closes a connection whose server has
 * been silent for `graceMs` longer than a statement may run.
 */
export function connect(
  config: PoolConfig,
  log: BaseLogger,
  { graceMs = GRACE_MS }: { graceMs?: number } = {},
): Connection {
  const pool = new Pool({
    application_name: 'milepost',
    connectionTimeoutMillis: 10_000,
    ...SERVER_LIMITS,
    keepAlive: true,
    types: { getTypeParser },
    verify: callbackify(beginSession),
    ...config,
  })
  const { statement_timeout: limit } = { ...SERVER_LIMITS, ...config }
  const deadlineMs = (limit || SERVER_LIMITS.statement_timeout) + graceMs
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'))
  // While the pool ends it removes its listeners, and an unhandled error event would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke'))
    queryByCallback(client, preparedName, limitResponseTime(client, deadlineMs))
    reportOutcomes(client)
    limitDisconnect(client, graceMs)
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return { pool, db, config, close: () => db.destroy() }
}

/**
 * Returns counts and revisions (int8) as numbers instead of pg's strings, because they stay far below 2^53. Returns calendar
 * days as text (`YYYY-MM-DD`), because pg would convert them to instants in the time zone of this process.
 */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && oid === INT8) return Number
  if (format !== 'binary' && oid === DATE) return String
  return types.getTypeParser(oid, format)
}
