import { randomBytes } from 'node:crypto'
import type { PoolConfig } from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { type Connection, connect } from './connect.ts'
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

/** Creates a database for one test file, cloned from the migrated template: `afterAll(() => database.close())`. */
export async function testDatabase(): Promise<Connection> {
  const own = await emptyDatabase(inject('testServer').template)
  // Long enough for a busy machine.
  const config: PoolConfig = {
    ...own.config,
    max: 5,
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
