import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitor } from '#server/identity/local/testing.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { begin, messageOf, person, signInWithGoogle, testIssuer, WINDOW } from './testing.ts'

let database: TestServer

beforeAll(async () => {
  database = await testServer()
})
afterAll(() => database.close())

test('an issuer that is down at the start is contacted again at the next sign-in', async () => {
  const issuer = await testIssuer()
  const { port } = new URL(issuer.settings.issuer)
  await issuer.server.stop()
  const { db } = database.settings
  const server = await testServer({ db, google: issuer.settings })

  const { response } = await begin(visitor(server.app))
  expect(messageOf(response)).toEqual({ type: 'milepost:google', window: WINDOW, outcome: 'unavailable' })
  expect(server.logged.join()).toContain('the sign-in issuer cannot be used')

  await issuer.server.start(Number(port), '127.0.0.1')
  issuer.says(person())
  expect(messageOf(await signInWithGoogle(visitor(server.app))).outcome).toBe('signed-in')
  await server.close()
  await issuer.close()
})

test('an issuer that goes down during a sign-in signs nobody in', async () => {
  const issuer = await testIssuer()
  const { db } = database.settings
  const server = await testServer({ db, google: issuer.settings })
  issuer.says(person())
  const answer = await signInWithGoogle(visitor(server.app), (back) => {
    issuer.server.service.once('beforeResponse', (token: { statusCode: number }) => {
      token.statusCode = 503
    })
    return back
  })
  expect(messageOf(answer).outcome).toBe('failed')
  await server.close()
  await issuer.close()
})

test('an issuer with a different name in its metadata is not trusted', async () => {
  const issuer = await testIssuer()
  const { db } = database.settings
  const renamed = { ...issuer.settings, issuer: issuer.settings.issuer.replace('localhost', '127.0.0.1') }
  const server = await testServer({ db, google: renamed })
  expect(messageOf((await begin(visitor(server.app))).response).outcome).toBe('unavailable')
  await server.close()
  await issuer.close()
})

test('an internal error also closes the popup, and is logged once', async () => {
  const issuer = await testIssuer()
  const server = await testServer({ google: issuer.settings })
  issuer.says(person())
  await sql`alter table identity.account rename to elsewhere`.execute(server.settings.db)
  const answer = await signInWithGoogle(visitor(server.app))
  expect(answer.statusCode).toBe(500)
  expect(messageOf(answer)).toEqual({ type: 'milepost:google', window: WINDOW, outcome: 'failed' })
  expect(server.logged.filter((line) => line.includes('does not exist'))).toHaveLength(1)
  await server.close()
  await issuer.close()
})

test('a server without an issuer has none of its routes, and reports that to browsers', async () => {
  const anybody = visitor(database.app)
  expect((await begin(anybody)).response.statusCode).toBe(404)
  expect((await anybody.send('GET', '/api/auth/google/callback')).statusCode).toBe(404)
  expect((await anybody.send('GET', '/api/identity')).json()).toMatchObject({ google: false })
})
