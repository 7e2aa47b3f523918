import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitor } from '#server/identity/local/testing.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { createIssuer, promptOf } from './issuer.ts'
import { reasonOf } from './sign-in.ts'
import { begin, messageOf, person, signInWithIssuer, testIssuer, WINDOW } from './testing.ts'

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
  const server = await testServer({ db, issuer: issuer.settings })

  const { response } = await begin(visitor(server.app))
  expect(messageOf(response)).toEqual({ type: 'milepost:google', window: WINDOW, outcome: 'unavailable' })
  expect(server.logged.join()).toContain('the sign-in issuer cannot be used')

  await issuer.server.start(Number(port), '127.0.0.1')
  issuer.says(person())
  expect(messageOf(await signInWithIssuer(visitor(server.app))).outcome).toBe('signed-in')
  await server.close()
  await issuer.close()
})

test('an issuer that goes down during a sign-in signs nobody in', async () => {
  const issuer = await testIssuer()
  const { db } = database.settings
  const server = await testServer({ db, issuer: issuer.settings })
  issuer.says(person())
  const answer = await signInWithIssuer(visitor(server.app), (back) => {
    issuer.server.service.once('beforeResponse', (token: { statusCode: number }) => {
      token.statusCode = 503
    })
    return back
  })
  expect(messageOf(answer).outcome).toBe('failed')
  await server.close()
  await issuer.close()
})

/** An issuer that accepts the client secret in one way only, checks it before the code, and signs with it. */
async function strictIssuer(way: string) {
  const sent: string[] = []
  let url = ''
  async function answer(request: IncomingMessage, response: ServerResponse) {
    response.setHeader('content-type', 'application/json')
    if (request.url !== '/token')
      return response.end(
        JSON.stringify({
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
        }),
      )
    await text(request)
    const used = request.headers.authorization === undefined ? 'client_secret_post' : 'client_secret_basic'
    sent.push(used)
    if (used !== way) {
      response.statusCode = 401
      if (used === 'client_secret_basic') response.setHeader('www-authenticate', 'Basic realm="issuer"')
      return response.end(JSON.stringify({ error: 'invalid_client', error_description: 'Not in this way' }))
    }
    const idToken = await new SignJWT({ nonce: 'n' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(url)
      .setAudience('milepost')
      .setSubject('grace')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('a secret'))
    return response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: idToken }))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { issuer: url, clientId: 'milepost', clientSecret: 'a secret', name: 'Casa' }
  const issuer = createIssuer(settings, pino({ level: 'silent' }))
  const redeem = () =>
    issuer.redeem(new URL('http://localhost/callback?code=c&state=s'), {
      expectedState: 's',
      expectedNonce: 'n',
      pkceCodeVerifier: 'v'.repeat(43),
      idTokenExpected: true,
    })
  return { redeem, sent, close: () => server.close() }
}

test.each([
  ['client_secret_basic', 2],
  ['client_secret_post', 3],
])('an issuer that expects %s of this server gets it, and is asked once from then on', async (way, calls) => {
  const issuer = await strictIssuer(way)
  for (let n = 0; n < 2; n += 1) expect((await issuer.redeem()).claims.sub).toBe('grace')
  expect([issuer.sent.length, issuer.sent.at(-1)]).toEqual([calls, way])
  issuer.close()
})

test('an issuer that accepts the client secret in no way refuses with its own words', async () => {
  const issuer = await strictIssuer('none')
  await expect(issuer.redeem()).rejects.toMatchObject({
    error: 'invalid_client',
    error_description: 'Not in this way',
  })
  issuer.close()
})

test.each([
  ['/realms/here', '/realms/here/'],
  ['/realms/here/', '/realms/here'],
])('the name of an issuer may differ from the setting in its last slash: %s, %s', async (setting, named) => {
  let url = ''
  const metadata = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: url + named, authorization_endpoint: `${url}/authorize` }))
  })
  await new Promise<void>((resolve) => metadata.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(metadata.address() as AddressInfo).port}`
  const settings = { clientId: 'milepost', clientSecret: 'a secret', name: 'Casa' }
  const issuer = createIssuer({ issuer: url + setting, ...settings }, pino({ level: 'silent' }))
  expect((await issuer.configuration()).serverMetadata().issuer).toBe(url + named)
  metadata.close()
})

test.each([
  [{ issuer: 'https://accounts.google.com' }, true],
  [{ issuer: 'https://login.microsoftonline.com/1/v2.0' }, true],
  [{ issuer: 'https://house.ciamlogin.com/1/v2.0' }, true],
  [{ issuer: 'https://auth.example', prompt_values_supported: ['none', 'select_account'] }, true],
  [{ issuer: 'https://auth.example', prompt_values_supported: ['none', 'login'] }, false],
  [{ issuer: 'https://auth.example' }, false],
  [{ issuer: 'https://accounts.google.com.attacker.example' }, false],
])('an issuer is asked to let people choose an account if it can: %o', (metadata, isAsked) => {
  expect(promptOf(metadata)).toEqual(isAsked ? { prompt: 'select_account' } : {})
})

test('an issuer with a different name in its metadata is not trusted', async () => {
  const issuer = await testIssuer()
  const { db } = database.settings
  const renamed = { ...issuer.settings, issuer: issuer.settings.issuer.replace('localhost', '127.0.0.1') }
  const server = await testServer({ db, issuer: renamed })
  expect(messageOf((await begin(visitor(server.app))).response).outcome).toBe('unavailable')
  await server.close()
  await issuer.close()
})

test('an internal error also closes the popup, and is logged once', async () => {
  const issuer = await testIssuer()
  const server = await testServer({ issuer: issuer.settings })
  issuer.says(person())
  await sql`alter table identity.account rename to elsewhere`.execute(server.settings.db)
  const answer = await signInWithIssuer(visitor(server.app))
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

test('the log says what an unusable response of the issuer was, and quotes none', () => {
  const page = new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } })
  expect(reasonOf(new Error('unexpected type', { cause: page }))).toBe(
    'Error: unexpected type (502, text/html)',
  )
  const quoting = new Error('not JSON', { cause: new SyntaxError('Unexpected token in {"id_token":"eyJ') })
  expect(reasonOf(new Error('parsing failed', { cause: quoting }))).toBe('Error: parsing failed: not JSON')
  expect(reasonOf('nothing')).toBe('nothing')
})
