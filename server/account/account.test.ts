import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Account, Session } from '#contract/account.ts'
import { signInTexts } from '#contract/sign-in.ts'
import { resetPassword } from '#server/identity/local/passwords.ts'
import { account, type Visitor, visitor } from '#server/identity/local/testing.ts'
import { buildersFor } from '#server/testing/builders.ts'
import { createClient, type Sender } from '#server/testing/client.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const MINUTE = 60_000

let server: TestServer
let second: TestServer
beforeAll(async () => {
  server = await testServer()
  // A second server on the same database, as on another machine.
  second = await testServer(server.settings)
})
afterAll(async () => {
  await second.close()
  await server.close()
})

beforeEach(() => {
  server.time.now = new Date()
})

type Fields = ReturnType<typeof account>

/** A user who is signed in with one browser. */
async function person(fields: Fields = account(), userAgent = FIREFOX) {
  const browser = visitor(server.app, { headers: { 'user-agent': userAgent } })
  expect((await browser.signUp(fields)).statusCode).toBe(204)
  return { fields, ...(await entered(browser)) }
}

/** Signs the same user in with another browser. */
async function elsewhere({ email, password }: Pick<Fields, 'email' | 'password'>, userAgent = IPHONE) {
  const browser = visitor(server.app, { headers: { 'user-agent': userAgent } })
  expect((await browser.signIn({ email, password })).statusCode).toBe(204)
  return entered(browser)
}

async function entered(browser: Visitor) {
  const { token, user } = await browser.enter()
  return { browser, token, user }
}

async function send(
  { token }: { token: string },
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
  { app } = server,
) {
  const response = await app.inject({
    method,
    url: `/api/account${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })
  const body: unknown = response.body ? response.json() : null
  return { status: response.statusCode, body }
}

const sessionsOf = async (who: { token: string }) => (await send(who, 'GET', '/sessions')).body as Session[]

const change = (who: { token: string }, currentPassword: string, newPassword = 'analytical engine') =>
  send(who, 'PUT', '/password', { currentPassword, newPassword })

describe('an account', () => {
  test('is returned with its email, its storage, and whether it has a password', async () => {
    const { fields, user, ...ada } = await person()
    expect(await send(ada, 'GET', '')).toEqual({
      status: 200,
      body: {
        ...user,
        email: fields.email,
        emailVerified: false,
        notifications: { muted: [], mutedEmails: [], newsHour: 7, emailsMentions: false },
        password: 'set',
        storage: { used: 0, quota: 5e9 },
      },
    })
  })

  test('has the name that its owner chose, which later sign-ins do not replace', async () => {
    const { fields, ...ada } = await person()
    const renamed = await send(ada, 'PUT', '', { name: '  Countess of Lovelace ' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Countess of Lovelace' } })
    const { user } = await elsewhere(fields)
    expect(user.name).toBe('Countess of Lovelace')
  })

  test('has the time zone and the date format that its owner chooses, which can be set and reset separately', async () => {
    const { fields, ...ada } = await person()
    const put = async (body: object) => {
      const { body: read } = await send(ada, 'PUT', '/dates', body)
      const { timeZone, dateFormat } = read as Account
      return { timeZone, dateFormat }
    }
    expect(await put({ timeZone: 'Asia/Tokyo' })).toEqual({ timeZone: 'Asia/Tokyo' })
    expect(await put({ dateFormat: 'iso' })).toEqual({ timeZone: 'Asia/Tokyo', dateFormat: 'iso' })
    expect(await put({})).toEqual({ timeZone: 'Asia/Tokyo', dateFormat: 'iso' })
    const { user } = await elsewhere(fields)
    expect(user).toMatchObject({ timeZone: 'Asia/Tokyo', dateFormat: 'iso' })
    expect(await put({ timeZone: null, dateFormat: null })).toEqual({})
  })

  test.each([
    { timeZone: 'Mars/Olympus' },
    { timeZone: '+01:00' },
    { timeZone: '' },
    { dateFormat: 'roman' },
  ])('cannot have the date settings %j', async (body) => {
    expect((await send(await person(), 'PUT', '/dates', body)).status).toBe(400)
  })

  test.each([[''], ['  '], ['x'.repeat(101)], ['a\0b']])('cannot have the name %j', async (name) => {
    expect((await send(await person(), 'PUT', '', { name })).status).toBe(400)
  })
})

describe('a password', () => {
  test('is changed with the current one, which no longer works afterwards', async () => {
    const { fields, ...ada } = await person()
    expect((await change(ada, fields.password)).status).toBe(204)
    expect((await visitor(server.app).signIn(fields)).statusCode).toBe(401)
    await elsewhere({ ...fields, password: 'analytical engine' })
  })

  test('that is changed, or reset by the operator, revokes the access tokens of its account and no others', async () => {
    const { fields, token } = await person()
    const other = await person()
    const make = buildersFor(server.deps, createClient(server.app))
    const asOf = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
    const status = async ({ headers }: Sender) =>
      (await server.app.inject({ url: '/api/projects', headers })).statusCode
    const untouched = await make.program(asOf(other.token))
    const first = await make.program(asOf(token))
    expect((await change({ token }, fields.password)).status).toBe(204)
    expect([await status(first), await status(untouched)]).toEqual([401, 200])
    const second = await make.program(asOf(token))
    await resetPassword(server.deps.db, fields.email)
    expect([await status(second), await status(untouched)]).toEqual([401, 200])
  })

  test('that is changed ends all other sessions immediately, on every server', async () => {
    const { fields, ...ada } = await person()
    const phone = await elsewhere(fields)
    expect((await send(phone, 'GET', '', undefined, second)).status).toBe(200)
    expect((await change(ada, fields.password)).status).toBe(204)
    expect((await send(phone, 'GET', '', undefined, second)).status).toBe(401)
    const cookies = visitor(second.app)
    for (const [name, value] of phone.browser.jar) cookies.jar.set(name, value)
    expect((await cookies.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect((await send(ada, 'GET', '')).status).toBe(200)
    expect((await ada.browser.send('GET', '/api/auth/token')).statusCode).toBe(200)
  })

  test('is not changed with a wrong one, which ends no session and is not reported as an expired session', async () => {
    const { fields, ...ada } = await person()
    const phone = await elsewhere(fields)
    const refused = await change(ada, 'a wrong guess')
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'invalid',
        issues: [{ path: 'currentPassword', message: signInTexts.incorrectPassword }],
      },
    })
    expect((await send(phone, 'GET', '')).status).toBe(200)
    await elsewhere(fields)
  })

  test('cannot be replaced by a common or a short one', async () => {
    const { fields, ...ada } = await person()
    await send(ada, 'PUT', '', { name: 'Countess' })
    for (const common of ['password1', 'dimazarya', 'Countess', fields.email])
      expect(await change(ada, fields.password, common)).toMatchObject({
        status: 400,
        body: { code: 'common_password', issues: [{ path: 'newPassword' }] },
      })
    expect(await change(ada, fields.password, 'abc12')).toMatchObject({
      status: 400,
      body: { code: 'invalid', issues: [{ path: 'newPassword', message: signInTexts.weakPassword }] },
    })
  })

  test('cannot be guessed in a stolen session: after ten attempts even the correct one is refused for a while', async () => {
    const { fields, ...ada } = await person()
    const guesses = await Promise.all(Array.from({ length: 12 }, () => change(ada, 'a wrong guess')))
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10)
    expect((await change(ada, fields.password)).status).toBe(429)
    server.time.now = new Date(server.time.now.getTime() + 15 * MINUTE)
    expect((await change(ada, fields.password)).status).toBe(204)
  })

  test('that is changed by two concurrent requests is changed by one of them', async () => {
    const { fields, ...ada } = await person()
    const both = await Promise.all([
      change(ada, fields.password, 'the first of two'),
      change(ada, fields.password, 'the second of two'),
    ])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([204, 400]))
  })
})

describe('sessions', () => {
  test('are listed with device and last use, the current one first', async () => {
    const { fields, ...ada } = await person()
    server.time.now = new Date(Date.now() + 5 * MINUTE)
    const phone = await elsewhere(fields)
    const listed = await sessionsOf(ada)
    expect(listed.map(({ device, isCurrent }) => [device, isCurrent])).toEqual([
      ['Firefox on Linux', true],
      ['Safari on iPhone', false],
    ])
    expect(listed[1]?.lastUsedAt).toBe(server.time.now.toISOString())
    expect((await sessionsOf(phone)).map(({ device }) => device)).toEqual([
      'Safari on iPhone',
      'Firefox on Linux',
    ])
  })

  test('are listed even if the user agent is long or missing', async () => {
    const { fields, ...ada } = await person(account(), '')
    await elsewhere(fields, `Firefox/1 ${'x'.repeat(5_000)}`)
    const devices = (await sessionsOf(ada)).map(({ device }) => device)
    expect(devices).toEqual(['Unknown device', 'Firefox'])
  })

  test('are ended individually, immediately and on every server; ending one again returns 404', async () => {
    const { fields, ...ada } = await person()
    const phone = await elsewhere(fields)
    const other = (await sessionsOf(ada)).find(({ isCurrent }) => !isCurrent)
    expect((await send(ada, 'DELETE', `/sessions/${other?._id}`)).status).toBe(204)
    expect((await send(phone, 'GET', '', undefined, second)).status).toBe(401)
    expect((await send(ada, 'DELETE', `/sessions/${other?._id}`)).status).toBe(404)
    expect(await sessionsOf(ada)).toHaveLength(1)
  })

  test('of other people can be neither listed nor ended', async () => {
    const [ada, mallory] = [await person(), await person()]
    const [session] = await sessionsOf(ada)
    expect(await sessionsOf(mallory)).toHaveLength(1)
    expect((await send(mallory, 'DELETE', `/sessions/${session?._id}`)).status).toBe(404)
    expect((await send(mallory, 'DELETE', '/sessions')).status).toBe(204)
    expect((await send(ada, 'GET', '')).status).toBe(200)
  })

  test('are all ended at once, except the current one', async () => {
    const { fields, ...ada } = await person()
    const others = [await elsewhere(fields), await elsewhere(fields, FIREFOX)]
    expect((await send(ada, 'DELETE', '/sessions')).status).toBe(204)
    for (const other of others) expect((await send(other, 'GET', '', undefined, second)).status).toBe(401)
    expect(await sessionsOf(ada)).toMatchObject([{ isCurrent: true }])
  })
})

test('a password manager finds the page where a password is changed', async () => {
  const { statusCode, headers } = await server.app.inject({ url: '/.well-known/change-password' })
  expect([statusCode, headers.location]).toEqual([302, '/settings'])
  // A server that answers 200 to everything is not asked.
  const { statusCode: missing } = await server.app.inject({
    url: '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
  })
  expect(missing).toBe(404)
})
