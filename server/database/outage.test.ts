import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { connect } from './connect.ts'
import { isOutage, isSettled } from './outage.ts'
import { testDatabase } from './testing.ts'

const log = pino({ level: 'silent' })

let database: Awaited<ReturnType<typeof testDatabase>>
let t: TestApp
let person: Person
beforeAll(async () => {
  database = await testDatabase()
  t = await testApp()
  person = await t.person()
})
afterAll(async () => {
  await t.close()
  await database.close()
})

describe('an outage of the database', () => {
  it.each([
    ['nobody listens', { host: '127.0.0.1', port: 1 }],
    ['its socket is gone', { host: '/no-such-folder' }],
  ])('is detected if %s', async (_, config) => {
    const unreachable = connect(config, log)
    const error = await unreachable.pool.query('select 1').catch((failure: unknown) => failure)
    await unreachable.close()
    expect(isOutage(error)).toBe(true)
  })

  it('is detected if no connection of the pool becomes free in time', { tags: ['long'] }, async () => {
    const small = connect({ ...database.config, max: 1, connectionTimeoutMillis: 1_000 }, log)
    const taken = await small.pool.connect()
    const error = await small.pool.query('select 1').catch((failure: unknown) => failure)
    taken.release()
    await small.close()
    expect(isOutage(error)).toBe(true)
  })

  it('is detected if a statement takes too long or its connection breaks', async () => {
    const failureOf = async (statement: string) => {
      const client = new Client(database.config)
      client.on('error', () => undefined)
      await client.connect()
      const error = await client.query(statement).catch((failure: unknown) => failure)
      await client.end()
      return error
    }
    expect(isOutage(await failureOf(`set statement_timeout = 20; select pg_sleep(5)`))).toBe(true)
    expect(isOutage(await failureOf('select pg_terminate_backend(pg_backend_pid())'))).toBe(true)
    expect(isOutage(await failureOf('select 1 / 0'))).toBe(false)
    expect(isOutage(await failureOf('select nothing'))).toBe(false)
  })

  it.each([
    [true, ['23503', '40001', '40P01', '57014', '25P03', 'P0001']],
    [
      false,
      ['08006', '08P01', '57P01', '57P02', '53100', '58030', 'XX000', '40003', 'EPIPE', 'ECONNRESET', ''],
    ],
  ])('leaves a COMMIT settled (%s) with %j', (settled, codes) => {
    for (const code of codes) expect(isSettled(Object.assign(new Error('no'), { code }))).toBe(settled)
    expect(isSettled(new Error('Connection terminated unexpectedly'))).toBe(false)
  })

  it('causes 503 responses with Retry-After, and recovery needs no restart', async () => {
    const ask = () => t.app.inject({ url: '/api/projects', headers: person.headers })
    const locker = await t.pool.connect()
    await locker.query('begin; lock table projects')
    const asked = ask()
    await cutOff('projects')
    const refused = await asked
    await locker.query('rollback')
    locker.release()

    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.json()).toEqual({ code: 'unavailable', message: expect.any(String) })
    expect((await ask()).statusCode).toBe(200)
  })
})

/** Ends the connection that waits for a lock of the table, as a database that goes down would. */
async function cutOff(table: string) {
  await expect
    .poll(async () => {
      const { rowCount } = await t.pool.query(
        // Tables in the databases of other tests have the same number.
        `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.relation = $1::regclass and not l.granted`,
        [table],
      )
      return rowCount
    })
    .toBe(1)
}
