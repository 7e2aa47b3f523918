import { randomBytes } from 'node:crypto'
import type { PoolConfig } from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { type Connection, connect } from './connect.ts'
import { inDatabase, onServer } from './testing-setup.ts'

/** A database without anything in it, or a copy of one that nobody uses: `afterAll(() => database.close())`. */
export async function emptyDatabase(
  copied?: string,
): Promise<{ name: string; config: PoolConfig; close: () => Promise<void> }> {
  const { connection, template } = inject('testServer')
  const name = `${template}_${randomBytes(6).toString('hex')}`
  const run = (text: string) => onServer(connection, async (client) => void (await client.query(text)))
  await run(`create database ${name} ${copied ? `template ${copied}` : ''}`)
  return {
    name,
    config: inDatabase(connection, name),
    close: () => run(`drop database ${name} with (force)`),
  }
}

/** A database of one test file's own, cloned from the migrated template: `afterAll(() => database.close())`. */
export async function testDatabase(): Promise<Connection> {
  const { connection, template } = inject('testServer')
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await onServer(connection, (client) => client.query(`create database ${name} template ${template}`))
  const config: PoolConfig = { ...inDatabase(connection, name), max: 5 }
  const { db, pool, close } = connect(config, pino({ level: 'silent' }))
  return {
    db,
    pool,
    config,
    close: async () => {
      await close()
      await onServer(connection, (client) => client.query(`drop database ${name} with (force)`))
    },
  }
}
