import { randomBytes } from 'node:crypto'
import type { PoolConfig } from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { type Connection, connect } from './connect.ts'
import { migrateWithSamples } from './testing-samples.ts'
import { dropDatabase, inDatabase, onServer } from './testing-setup.ts'

/** Creates an empty database, or a copy of an unused one: `afterAll(() => database.close())`. */
export async function emptyDatabase(
  copied?: string,
): Promise<{ name: string; config: PoolConfig; close: () => Promise<void> }> {
  const { connection, template } = inject('testServer')
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await onServer(connection, (client) =>
    // Copying files is faster than writing every page to the log.
    client.query(`create database ${name} ${copied ? `template ${copied} strategy file_copy` : ''}`),
  )
  return {
    name,
    config: inDatabase(connection, name),
    close: () => onServer(connection, (client) => dropDatabase(client, name)),
  }
}

/** Returns the name of a database with rows in every table, for copying. The first test file that asks for it fills it. */
export async function filledTemplate(): Promise<string> {
  const { connection, template } = inject('testServer')
  const name = `${template}_filled`
  await onServer(connection, async (client) => {
    await client.query('select pg_advisory_lock(1)')
    const { rows } = await client.query('select from pg_database where datname = $1', [name])
    if (rows.length > 0) return
    const { name: made, config } = await emptyDatabase()
    await migrateWithSamples(config)
    await client.query(`alter database ${made} rename to ${name}`)
  })
  return name
}

const TIME_LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
  'transaction_timeout',
]

/** Selects the time limits of a connection that the server supports. */
export const TIME_LIMITS_QUERY = `select name, setting from pg_settings
  where name in (${TIME_LIMITS.map((name) => `'${name}'`).join(', ')}) order by name`

/** Sets defaults for the time limits of later connections to a database, and returns their names. */
export async function setTimeLimits(config: PoolConfig): Promise<string[]> {
  return onServer(config, async (client) => {
    const { rows } = await client.query<{ name: string }>(TIME_LIMITS_QUERY)
    for (const { name } of rows) await client.query(`alter database ${client.database} set ${name} = '1h'`)
    return rows.map(({ name }) => name)
  })
}

/**
 * Connects to a database for one test file, by default to a clone of the migrated template: `afterAll(() => database.close())`.
 */
export async function testDatabase(
  created: ReturnType<typeof emptyDatabase> = emptyDatabase(inject('testServer').template),
): Promise<Connection> {
  const own = await created
  // Long enough for a busy machine.
  const config: PoolConfig = {
    ...own.config,
    // Each connection reads the catalog again; `npm run test:all` has longer races.
    max: process.env.MILEPOST_TESTS === 'all' ? 5 : 3,
    connectionTimeoutMillis: 120_000,
    statement_timeout: 120_000,
    idle_in_transaction_session_timeout: 120_000,
  }
  const { db, pool, close } = connect(config, pino({ level: 'silent' }))
  return {
    db,
    pool,
    config,
    close: async () => {
      await close()
      await own.close()
    },
  }
}
