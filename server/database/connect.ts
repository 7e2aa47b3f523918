import { Kysely, PostgresDialect } from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import type { BaseLogger } from 'pino'
import { queryByCallback } from '#server/platform/patched/pg-queries.ts'
import { preparedName } from './prepared.ts'
import type { Schema } from './rows.ts'

/** `config` is for a connection beside the pool. */
export type Connection = {
  pool: Pool
  db: Kysely<Schema>
  config: PoolConfig
  close: () => Promise<void>
}

const INT8 = 20
const DATE = 1082

/** Opens a connection pool and kysely on it. No query and no idle transaction may hold a connection for ever. */
export function connect(config: PoolConfig, log: BaseLogger): Connection {
  const pool = new Pool({
    application_name: 'milepost',
    connectionTimeoutMillis: 10_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    types: { getTypeParser },
    ...config,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'))
  // While the pool ends it no longer listens to its connections, and an unhandled error event would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection broke'))
    queryByCallback(client, preparedName)
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return { pool, db, config, close: () => db.destroy() }
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
