import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import { localProviderCalls } from '#contract/identity.ts'
import type { Call } from '#contract/parts/call.ts'
import { passkeySignInCalls } from '#contract/passkeys.ts'
import { createJobs } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { derive, type Secret } from '#server/platform/secrets.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { account, visitor } from './testing.ts'

const DAY_MS = 24 * 60 * 60_000

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('an error inside the provider is a 500 without details and is logged once', async () => {
  const broken = await testServer()
  await sql`alter table identity."user" rename to elsewhere`.execute(broken.settings.db)
  const response = await visitor(broken.app).signIn(account())
  expect(response.statusCode).toBe(500)
  expect(response.json()).toEqual({
    code: 'unexpected',
    message: 'Something went wrong on our side. Please try again.',
    requestId: expect.any(String),
  })
  expect(broken.logged.filter((line) => line.includes('does not exist'))).toHaveLength(1)
  await broken.close()
})

describe('only four routes of the provider are reachable', () => {
  const closed: ['GET' | 'POST', string][] = [
    ['GET', '/ok'],
    ['GET', '/error'],
    ['GET', '/jwks'],
    ['GET', '/get-session'],
    ['GET', '/list-sessions'],
    ['GET', '/verify-email'],
    ['POST', '/sign-in/social'],
    ['GET', '/callback/google'],
    ['GET', '/google/start'],
    ['GET', '/google/callback'],
    ['POST', '/open-session'],
    ['POST', '/update-user'],
    ['POST', '/change-email'],
    ['POST', '/change-password'],
    ['POST', '/delete-user'],
    ['POST', '/request-password-reset'],
    ['POST', '/revoke-sessions'],
    ['POST', '/link-social'],
    ['POST', '/sign-in/../update-user'],
    ['POST', '/sign-up//email'],
  ]
  test.each(closed)('%s %s', async (method, path) => {
    const person = visitor(server.app)
    await person.signUp()
    const response = await person.send(method, `/api/auth${path}`, method === 'POST' ? {} : undefined)
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([404, 'not_found'])
  })

  test.each([
    ['GET', '/sign-in/email', 'POST'],
    ['POST', '/token', 'GET, HEAD'],
  ] as const)('%s %s, with an unsupported method', async (method, path, allow) => {
    const person = visitor(server.app)
    await person.signUp()
    const response = await person.send(method, `/api/auth${path}`, method === 'POST' ? {} : undefined)
    expect([response.statusCode, response.headers.allow]).toEqual([405, allow])
  })
})

describe('a call of the provider', () => {
  test('without fields requires no body', async () => {
    const headers = { origin: 'http://localhost:4400' }
    const { path: url, method } = localProviderCalls.signOutAtProvider
    expect((await server.app.inject({ method, url, headers })).statusCode).toBe(204)
  })

  const providerCalls = { ...localProviderCalls, ...passkeySignInCalls }
  const named = Object.entries<Call>(providerCalls)

  test('is described in OpenAPI like any other, if this server sends mail and has an issuer', async () => {
    const emails = {
      mail: { send: async () => undefined } as unknown as Mail,
      jobs: createJobs({ db: server.settings.db, log: server.settings.log }),
    }
    // Nothing listens on this port. An unreachable issuer must not prevent the start.
    const issuer = {
      issuer: 'http://127.0.0.1:9',
      clientId: 'milepost',
      clientSecret: 'of the tests',
      name: 'Casa',
    }
    const whole = await testServer({ db: server.settings.db, emails, issuer })
    const document = (await whole.app.inject('/api/openapi.json')).json()
    const described = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => operation.operationId)
    expect(described.toSorted()).toEqual(
      [...Object.keys(calls), ...Object.keys(providerCalls), 'listenToEvents'].toSorted(),
    )
    await whole.close()
    await emails.jobs.stop()
  })

  test.each(named)(
    '%s gains nothing from an application token: only the cookie counts',
    async (_name, { method, path }) => {
      const person = visitor(server.app)
      await person.signUp()
      const { token } = await person.enter()
      const statusWith = async (headers: Record<string, string>) =>
        (await server.app.inject({ method, url: path, headers, ...(method === 'POST' && { payload: {} }) }))
          .statusCode
      const status = await statusWith({})
      expect(await statusWith({ authorization: `Bearer ${token}` })).toBe(status)
      expect(await statusWith({ authorization: 'Bearer of nothing' })).toBe(status)
      expect(await person.me(token)).toBe(200)
    },
  )
})

describe('the cookie', () => {
  test('is hidden from scripts and from other sites', async () => {
    const { cookies } = await visitor(server.app).signUp()
    expect(cookies).toEqual([
      expect.objectContaining({
        name: 'milepost.device',
        httpOnly: true,
        sameSite: 'Lax',
        path: '/api/auth',
        maxAge: 400 * 24 * 60 * 60,
      }),
      expect.objectContaining({
        name: 'milepost.session_token',
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
        maxAge: 30 * 24 * 60 * 60,
      }),
    ])
    for (const cookie of cookies) {
      expect(cookie).not.toHaveProperty('secure')
      expect(cookie).not.toHaveProperty('domain')
    }
  })

  test('is only sent encrypted if the server uses https', async () => {
    const publicUrl = 'https://milepost.example'
    const secure = await testServer({ db: server.settings.db, publicUrl })
    const { cookies } = await visitor(secure.app, { headers: { origin: publicUrl } }).signUp()
    expect(cookies).toMatchObject([
      { name: '__Secure-milepost.device', secure: true },
      { name: '__Secure-milepost.session_token', secure: true },
    ])
    await secure.close()
  })

  test('is ignored if its signature is invalid', async () => {
    const person = visitor(server.app)
    await person.signUp()
    const value = person.jar.get('milepost.session_token') ?? ''
    person.jar.set('milepost.session_token', `${value.split('.')[0]}.${Buffer.alloc(32).toString('base64')}`)
    expect((await person.send('GET', '/api/auth/token')).statusCode).toBe(401)
  })
})

describe('a session', () => {
  test('in use lasts, and its cookie with it; one that is not used ends after 30 days', async () => {
    const person = visitor(server.app)
    await person.signUp()
    const idle = visitor(server.app)
    await idle.signUp()
    const start = Date.now()
    const statuses: number[] = []
    for (const day of [0.5, 20, 40, 60]) {
      server.time.now = new Date(start + day * DAY_MS)
      const { statusCode, cookies } = await person.send('GET', '/api/auth/token')
      statuses.push(statusCode)
      expect(cookies.map(({ maxAge }) => maxAge)).toEqual(day < 1 ? [] : [30 * 24 * 60 * 60])
    }
    expect(statuses).toEqual([200, 200, 200, 200])
    expect((await idle.send('GET', '/api/auth/token')).statusCode).toBe(401)
    server.time.now = new Date()
  })

  test('stays valid under the previous secret, and under no other', async () => {
    const person = visitor(server.app)
    await person.signUp()
    const current = derive('a new secret')
    const statusWith = async (previous: Secret | null) => {
      const other = await testServer({ db: server.settings.db, secrets: { current, previous } })
      const browser = visitor(other.app)
      for (const [name, value] of person.jar) browser.jar.set(name, value)
      const { statusCode } = await browser.send('GET', '/api/auth/token')
      await other.close()
      return statusCode
    }
    expect(await statusWith(server.settings.secrets.current)).toBe(200)
    expect(await statusWith(null)).toBe(401)
  })
})

describe('a request from a page of', () => {
  const cases: [string, Record<string, string>, number][] = [
    ['the public address', { origin: 'http://localhost:4400', host: 'localhost:4400' }, 204],
    [
      '127.0.0.1, by which this server is reached',
      { origin: 'http://127.0.0.1:4400', host: '127.0.0.1:4400' },
      204,
    ],
    ['[::1], by which this server is reached', { origin: 'http://[::1]:4400', host: '[::1]:4400' }, 204],
    ['a forwarded local port', { origin: 'http://localhost:8080', host: 'localhost:8080' }, 204],
    ['another server on this machine', { origin: 'http://localhost:9999', host: 'localhost:4400' }, 403],
    ['another site', { origin: 'https://attacker.example', host: 'localhost:4400' }, 403],
    [
      'a site whose name leads here',
      { origin: 'http://rebound.example:4400', host: 'rebound.example:4400' },
      403,
    ],
    [
      'a name that only looks local',
      { origin: 'http://localhost.attacker.example', host: 'localhost.attacker.example' },
      403,
    ],
    ['nowhere', { origin: 'null', host: 'localhost:4400' }, 403],
    ['an IP address', { origin: 'http://192.168.1.20:4400', host: '192.168.1.20:4400' }, 204],
    ['an IPv6 address', { origin: 'http://[fd00::20]:4400', host: '[fd00::20]:4400' }, 204],
    ['an IP address with TLS', { origin: 'https://192.168.1.20', host: '192.168.1.20' }, 204],
    ['a name of this network', { origin: 'http://attic:4400', host: 'attic:4400' }, 204],
    ['a name of mDNS', { origin: 'http://attic.local:4400', host: 'attic.local:4400' }, 204],
    ['another IP address', { origin: 'http://192.168.1.21:4400', host: '192.168.1.20:4400' }, 403],
    ['another port', { origin: 'http://192.168.1.20:80', host: '192.168.1.20:4400' }, 403],
    [
      'a name that ends like ours',
      { origin: 'http://attic.local.example', host: 'attic.local.example' },
      403,
    ],
    [
      'a host that is an address with more',
      { origin: 'http://1.2.3.4.example', host: '1.2.3.4.example' },
      403,
    ],
    ['another site, its origin withheld', { origin: '', 'sec-fetch-site': 'cross-site' }, 403],
  ]
  test.each(cases)('%s', async (_who, headers, status) => {
    const response = await visitor(server.app, { headers }).signUp()
    expect(response.statusCode).toBe(status)
  })

  test('an address other than PUBLIC_URL is told what the operator has to set', async () => {
    const headers = { origin: 'http://milepost.example:4400', host: 'milepost.example:4400' }
    const response = await visitor(server.app, { headers }).signUp()
    expect(response.json()).toEqual({
      code: 'foreign_origin',
      message:
        'This server is reached at http://localhost:4400. Nobody can sign in under http://milepost.example:4400. If that is its address, its operator has to set PUBLIC_URL=http://milepost.example:4400 and start it again.',
    })
  })

  test('an IP address is refused where PUBLIC_URL names a host', async () => {
    const publicUrl = 'https://milepost.example'
    const named = await testServer({ db: server.settings.db, publicUrl })
    const headers = { origin: 'http://192.168.1.20:4400', host: '192.168.1.20:4400' }
    expect((await visitor(named.app, { headers }).signUp()).json()).toMatchObject({ code: 'foreign_origin' })
    await named.close()
  })

  test('another site cannot sign a visitor out', async () => {
    const fields = account()
    const person = visitor(server.app)
    await person.signUp(fields)
    const { token } = await person.enter()
    const lured = visitor(server.app, { headers: { origin: 'https://attacker.example' } })
    for (const [name, value] of person.jar) lured.jar.set(name, value)
    expect((await lured.signOut()).statusCode).toBe(403)
    expect(await person.me(token)).toBe(200)
  })

  test('a form of another site cannot send one: only JSON is accepted', async () => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=ada%40example.test&password=difference+engine',
    })
    expect(response.statusCode).toBe(415)
  })
})
