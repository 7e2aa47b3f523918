import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connection, connect } from '#server/database/connect.ts'
import { testDatabase } from '#server/database/testing.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { visitor } from './testing.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let impatient: Connection
let server: TestServer
beforeAll(async () => {
  database = await testDatabase()
  // Enough for every statement that waits for no lock, even on a busy machine.
  impatient = connect({ ...database.config, statement_timeout: 1_500 }, pino({ level: 'silent' }))
  server = await testServer({ db: impatient.db })
})
afterAll(async () => {
  await server.close()
  await impatient.close()
  await database.close()
})

test('a session that cannot be read or ended for a while is neither refused nor reported as ended', async () => {
  const person = visitor(server.app)
  await person.signUp()

  const locker = await database.pool.connect()
  await locker.query('begin; lock table identity.session')
  const asked = await person.send('GET', '/api/auth/token')
  const left = await person.signOut()
  await locker.query('rollback')
  locker.release()

  expect([asked.statusCode, left.statusCode]).toEqual([503, 503])
  expect((await person.send('GET', '/api/auth/token')).statusCode).toBe(200)
  expect((await person.signOut()).statusCode).toBe(204)
})
