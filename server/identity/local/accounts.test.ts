import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { account, registered, visitor } from './testing.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

async function keptHash(email: string): Promise<string | undefined> {
  const { rows } = await sql<{ password: string }>`
    select password from identity.account a join identity."user" u on u.id = a."userId"
    where u.email = ${email}`.execute(server.settings.db)
  return rows[0]?.password
}

describe('an account', () => {
  test('is created, exchanged for a token, and identified by it', async () => {
    const { person, fields } = await registered(server)
    const { token, user } = await person.enter()
    expect(user).toEqual({ _id: expect.any(String), name: fields.name, email: fields.email })
    expect(await person.me(token)).toBe(200)
  })

  test('signs in with its email in upper or lower case, and stays the same user', async () => {
    const { person, fields } = await registered(server)
    const { user } = await person.enter()
    const elsewhere = visitor(server.app)
    const shouted = { email: ` ${fields.email.toUpperCase()} `, password: fields.password }
    expect((await elsewhere.signIn(shouted)).statusCode).toBe(204)
    expect((await elsewhere.enter()).user._id).toBe(user._id)
  })

  test.each([
    ['ivan@xn--e1afmkfd.xn--p1ai', 'ivan@пример.рф'],
    ['black&white/grey@example.test', 'black&white/grey@example.test'],
    ["o'brien@xn--mller-kva.example", "o'brien@müller.example"],
    ['ada@attic', 'ada@attic'],
  ])('can have the address %s, in either form', async (ascii, readable) => {
    const fields = { ...account(), email: readable }
    const person = visitor(server.app)
    expect((await person.signUp(fields)).statusCode).toBe(204)
    expect((await person.enter()).user.email).toBe(readable)
    expect((await visitor(server.app).signUp({ ...fields, email: ascii })).statusCode).toBe(409)
    for (const email of [ascii, readable, ascii.toUpperCase()]) {
      const browser = visitor(server.app)
      expect((await browser.signIn({ email, password: fields.password })).statusCode).toBe(204)
      expect((await browser.signIn({ email, password: 'another one' })).json()).toMatchObject({
        code: 'incorrect_password',
      })
    }
  })

  test('accepts its password however the keyboard composes its characters', async () => {
    const fields = { ...account(), password: 'ångström café' }
    await visitor(server.app).signUp(fields)
    const decomposed = { email: fields.email, password: fields.password.normalize('NFD') }
    expect((await visitor(server.app).signIn(decomposed)).statusCode).toBe(204)
  })

  test('stores its password as argon2id with 64 MiB and three passes, except in tests', async () => {
    const strong = await testServer({ ...server.settings, hashCost: undefined })
    const { fields } = await registered(strong)
    expect(await keptHash(fields.email)).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
    await strong.close()
  })

  test('has its password rehashed at the first successful sign-in after the cost was raised', async () => {
    const { fields } = await registered(server)
    const before = await keptHash(fields.email)
    const hashCost = { memoryCost: 64, timeCost: 2, parallelism: 1 }
    const dearer = await testServer({ ...server.settings, hashCost })
    const person = visitor(dearer.app)

    expect((await person.signIn({ ...fields, password: 'a wrong guess' })).statusCode).toBe(401)
    expect(await keptHash(fields.email)).toBe(before)
    expect((await person.signIn(fields)).statusCode).toBe(204)
    const renewed = await keptHash(fields.email)
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=64,t=2,p=1\$/)

    expect((await person.signIn(fields)).statusCode).toBe(204)
    expect((await visitor(server.app).signIn(fields)).statusCode).toBe(204)
    expect(await keptHash(fields.email)).toBe(renewed)
    await dearer.close()
  })

  test('is created once for an email, even for many concurrent requests', async () => {
    const fields = account()
    const answers = await Promise.all(Array.from({ length: 8 }, () => visitor(server.app).signUp(fields)))
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)
    expect(statuses).toEqual([204, ...Array<number>(7).fill(409)])
    const refused = answers.find(({ statusCode }) => statusCode === 409)
    expect(refused?.json()).toMatchObject({
      code: 'conflict',
      message: 'An account with this email already exists',
    })
  })
})

describe('a sign-in', () => {
  test('distinguishes an unknown account from a wrong password', async () => {
    const { fields } = await registered(server)
    const nobody = await visitor(server.app).signIn({ ...account() })
    expect([nobody.statusCode, nobody.json()]).toEqual([
      401,
      { code: 'no_account', message: 'No account found with this email address' },
    ])
    const wrong = await visitor(server.app).signIn({ ...fields, password: 'analytical engine' })
    expect([wrong.statusCode, wrong.json()]).toEqual([
      401,
      { code: 'incorrect_password', message: 'Incorrect password' },
    ])
    expect(wrong.cookies).toEqual([])
  })

  test.each([0, 257, 10_000])(
    'with a password of %i characters is refused before it is hashed',
    async (length) => {
      const { fields } = await registered(server)
      const response = await visitor(server.app).signIn({ ...fields, password: 'x'.repeat(length) })
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([400, 'invalid'])
    },
  )
})

describe('a sign-up is refused', () => {
  const cases: [string, object, string, string][] = [
    [
      'a short password',
      { password: 'abc12' },
      'password',
      'Password is too weak. Please use at least 6 characters.',
    ],
    ['an endless password', { password: 'x'.repeat(129) }, 'password', 'at most 128'],
    ['no password', { password: '' }, 'password', 'Password is required'],
    ['an empty address', { email: ' ' }, 'email', 'Email is required'],
    ['an address that was left out', { email: undefined }, 'email', 'Email is required'],
    ['no address', { email: 'not an address' }, 'email', 'Invalid email address'],
    ['an endless address', { email: `${'a'.repeat(250)}@example.test` }, 'email', 'Invalid email address'],
    ['no name', { name: '  ' }, 'name', 'Name is required'],
    ['an endless name', { name: 'x'.repeat(101) }, 'name', 'at most 100'],
    ['a NUL in the name', { name: 'Ada\0' }, 'name', 'cannot be stored'],
    ['half a character in the name', { name: 'Ada\ud800' }, 'name', 'cannot be stored'],
    ['a name that is no text', { name: { first: 'Ada' } }, 'name', 'must be text'],
  ]
  test.each(cases)('for %s', async (_what, fault, path, message) => {
    const response = await visitor(server.app).signUp({ ...account(), ...fault })
    expect(response.statusCode).toBe(400)
    const body = response.json<{ code: string; issues: { path: string; message: string }[] }>()
    expect(body.code).toBe('invalid')
    expect(body.issues[0]?.path).toBe(path)
    expect(body.issues[0]?.message).toContain(message)
  })

  test.each(['PassWord123', 'Password1!', 'DimaZarya'])(
    'for the common password %s, with a specific error code',
    async (password) => {
      const message = 'This password is too common. Please choose another.'
      const response = await visitor(server.app).signUp({ ...account(), password })
      expect([response.statusCode, response.json()]).toEqual([
        400,
        { code: 'common_password', message, issues: [{ path: 'password', message }] },
      ])
    },
  )

  test('for a password that consists of the account’s name and email', async () => {
    const fields = { ...account(), name: 'Grace Hopper' }
    const response = await visitor(server.app).signUp({ ...fields, password: 'grace-hopper' })
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { code: 'common_password', issues: [{ path: 'password' }] },
    ])
    expect(
      (await visitor(server.app).signUp({ ...fields, password: 'nanoseconds of wire' })).statusCode,
    ).toBe(204)
  })

  test('other fields are dropped: nobody can verify their own email or choose their id', async () => {
    const fields = account()
    const extra = { emailVerified: true, image: 'javascript:alert(1)', id: 'mine', role: 'admin' }
    await visitor(server.app).signUp({ ...fields, ...extra })
    const { rows } = await sql<{ emailVerified: boolean; image: string | null }>`
      select "emailVerified", image from identity."user" where email = ${fields.email}`.execute(
      server.settings.db,
    )
    expect(rows).toEqual([{ emailVerified: false, image: null }])
  })
})

describe('signing out', () => {
  test('at the provider deletes the cookie, and ends its session and every token that was created from it', async () => {
    const { person } = await registered(server)
    const cookie = new Map(person.jar)
    const tokens = [(await person.enter()).token, (await person.enter()).token]
    expect((await person.signOut()).statusCode).toBe(204)
    expect([...person.jar.keys()]).toEqual(['milepost.device'])
    for (const token of tokens) expect(await person.me(token)).toBe(401)
    for (const [name, value] of cookie) person.jar.set(name, value)
    expect((await person.send('GET', '/api/auth/token')).statusCode).toBe(401)
  })

  test('of the application also ends the provider’s session, and no other session of the same person', async () => {
    const { person, fields } = await registered(server)
    const elsewhere = visitor(server.app)
    await elsewhere.signIn(fields)
    const [here, there] = [await person.enter(), await elsewhere.enter()]
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/users/sign-out',
      headers: { authorization: `Bearer ${here.token}` },
    })
    expect(response.statusCode).toBe(204)
    expect(await person.me(here.token)).toBe(401)
    expect((await person.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect(await elsewhere.me(there.token)).toBe(200)
  })

  test('between the ID token and its exchange makes the exchange fail', async () => {
    const { person } = await registered(server)
    const idToken = await person.idToken()
    await person.signOut()
    expect((await person.exchange({ idToken })).statusCode).toBe(401)
  })

  test('without being signed in is not an error', async () => {
    expect((await visitor(server.app).signOut()).statusCode).toBe(204)
  })
})

test('neither passwords nor tokens appear in the log or in unrelated responses', async () => {
  const { person, fields } = await registered(server)
  const signedIn = await person.signIn(fields)
  expect(signedIn.body).toBe('')
  const idToken = await person.idToken()
  const { token } = await person.enter()
  await person.me(token)
  await person.me(`${token}x`)
  await person.signIn({ ...fields, password: 'a secret guess' })
  await person.send('GET', `/api/users/me?token=${token}`)
  const log = server.logged.join('\n')
  const cookie = [...person.jar.values()][0] ?? 'no cookie'
  const signed = cookie.split('.')[0] ?? cookie
  const secrets = { password: fields.password, guess: 'a secret guess', idToken, token, cookie, signed }
  expect(Object.entries(secrets).filter(([, secret]) => log.includes(secret))).toEqual([])
  expect(log).toContain('/api/auth/sign-in/email')
})

describe('behind a proxy with a password', () => {
  const basic = `Basic ${Buffer.from('house:front door').toString('base64')}`
  const send = (url: string, headers: object, method: 'GET' | 'POST' = 'GET') =>
    server.app.inject({ method, url, headers: { ...headers } })

  test('a token is accepted in a header of our own, which browsers are asked to use', async () => {
    const { token } = await (await registered(server)).person.enter()
    const own = { 'x-milepost-authorization': `Bearer ${token}` }
    for (const headers of [own, { ...own, authorization: basic }, { ...own, authorization: 'Bearer other' }])
      expect((await send('/api/users/me', headers)).statusCode).toBe(200)
    expect((await send('/api/identity', { authorization: basic })).headers).toMatchObject({
      'x-milepost-authorization': 'expected',
    })
    expect((await send('/api/identity', own)).headers).not.toHaveProperty('x-milepost-authorization')
  })

  test('the password of the proxy is no token, and makes nobody signed in', async () => {
    const refused = await send('/api/users/me', { authorization: basic })
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'not_signed_in'])
    const forged = { 'x-milepost-authorization': basic, authorization: `Bearer ${'a'.repeat(40)}` }
    expect((await send('/api/users/me', forged)).statusCode).toBe(401)
  })

  test('visitors read what needs no sign-in', async () => {
    const url = `/api/collaborators/accept/${'a'.repeat(43)}`
    expect((await send(url, { authorization: basic }, 'POST')).statusCode).toBe(404)
    expect((await send(url, { authorization: 'nonsense' }, 'POST')).statusCode).toBe(401)
  })
})
