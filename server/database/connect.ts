import { callbackify } from 'node:util'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { BaseLogger } from 'pino'
import { queryByCallback } from '#server/platform/patched/pg-queries.ts'
import { limitGoodbye, limitSilence, reportOutcomes } from './guard.ts'
import { isReadOnly, ReadOnlyDatabase } from './outage.ts'
import { preparedName } from './prepared.ts'
import type { Schema } from './rows.ts'

/** `config` is for a connection beside the pool. */
export type Connection = {
  pool: Pool
  db: Kysely<Schema>
  config: PoolConfig
  close: () => Promise<void>
}

/** The limits that a connection asks the server for, in milliseconds: no query and no idle transaction holds it for ever. */
export const SERVER_LIMITS = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 15_000 }

/** How long after `statement_timeout` a database server that has not responded counts as frozen. */
const GRACE_MS = 5_000

const INT8 = 20
const DATE = 1082

/**
 * Opens a connection pool and kysely on it. It holds no connection to a server that takes no writes, and cuts the one
 * whose server is silent for `graceMs` longer than a statement may run.
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
    verify: callbackify(refuseReadOnly),
    ...config,
  })
  const { statement_timeout: limit } = { ...SERVER_LIMITS, ...config }
  const deadlineMs = (limit || SERVER_LIMITS.statement_timeout) + graceMs
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'))
  // While the pool ends it no longer listens to its connections, and an unhandled error event would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke'))
    queryByCallback(client, preparedName, limitSilence(client, deadlineMs))
    reportOutcomes(client)
    limitGoodbye(client, graceMs)
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return { pool, db, config, close: () => db.destroy() }
}

/** A server never turns into a standby under its connections, so it is asked once, when one is opened. */
async function refuseReadOnly(client: PoolClient): Promise<void> {
  if (await isReadOnly(client)) throw new ReadOnlyDatabase()
}

/**
 * Counts and revisions are int8; they stay far below 2^53, so they are numbers here instead of pg's strings. A calendar
 * day stays text (`YYYY-MM-DD`): pg makes it an instant, in the time zone of this process.
 */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && oid === INT8) return Number
  if (format !== 'binary' && oid === DATE) return String
  return types.getTypeParser(oid, format)
}
