import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visitor } from '#server/identity/local/testing.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import {
  begin,
  followRedirect,
  messageOf,
  person,
  signInWithIssuer,
  type TestIssuer,
  testIssuer,
  WINDOW,
} from './testing.ts'

let issuer: TestIssuer
let server: TestServer

beforeAll(async () => {
  issuer = await testIssuer()
  server = await testServer({ issuer: issuer.settings })
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})

const outcomeOf = (answer: { body: string }) => messageOf(answer).outcome

/** Signs in a new browser as the person whom the issuer describes. */
async function enterAs(claims: object) {
  issuer.says(claims)
  const browser = visitor(server.app)
  const answer = await signInWithIssuer(browser)
  return { browser, outcome: outcomeOf(answer), answer }
}

/** Makes the issuer sign its next ID token with a secret. */
function signWith(secret: string, alg = 'HS256') {
  issuer.server.service.once('beforeResponse', (answer: { body: Record<string, unknown> }) => {
    const [, payload] = String(answer.body.id_token).split('.')
    const signed = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${payload}`
    const hash = `sha${alg.slice(2)}`
    answer.body.id_token = `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
  })
}

describe('a sign-in with Google', () => {
  test('creates a user for a person whose email Google has verified', async () => {
    const grace = person()
    const { browser, answer } = await enterAs(grace)
    expect(messageOf(answer)).toEqual({ type: 'milepost:google', window: WINDOW, outcome: 'signed-in' })
    const { token, user } = await browser.enter()
    expect(user).toEqual({
      _id: expect.any(String),
      name: grace.name,
      email: grace.email,
      photoURL: grace.picture,
    })
    expect(await browser.me(token)).toBe(200)
  })

  test('uses state, nonce and PKCE', async () => {
    const { url } = await begin(visitor(server.app, { headers: { host: 'localhost:4400' } }))
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      scope: 'openid email profile',
      response_type: 'code',
      redirect_uri: 'http://localhost:4400/api/auth/google/callback',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('finds the same user again, and updates the name and photo', async () => {
    const grace = person()
    const first = await (await enterAs(grace)).browser.enter()
    const changed = { ...grace, name: 'Admiral Hopper', picture: 'https://pictures.example/admiral.png' }
    const again = await (await enterAs(changed)).browser.enter()
    expect(again.user).toEqual({ ...first.user, name: changed.name, photoURL: changed.picture })
    const nameless = await (
      await enterAs({ ...grace, name: undefined, picture: 'javascript:alert(1)' })
    ).browser.enter()
    expect(nameless.user).toEqual({ _id: first.user._id, name: changed.name, email: grace.email })
  })

  test('creates one user, even if twenty popups finish concurrently', { tags: ['long'] }, async () => {
    issuer.says(person())
    const browsers = Array.from({ length: 20 }, () => visitor(server.app))
    const answers = await Promise.all(browsers.map((browser) => signInWithIssuer(browser)))
    expect(new Set(answers.map(outcomeOf))).toEqual(new Set(['signed-in']))
    const entered = await Promise.all(browsers.map((browser) => browser.enter()))
    expect(new Set(entered.map(({ user }) => user._id)).size).toBe(1)
  })

  test('requests the email from the issuer if the ID token has none', async () => {
    const grace = person()
    issuer.server.service.once('beforeUserinfo', (answer: { body: object }) => {
      answer.body = { ...grace, email: grace.email.toUpperCase() }
    })
    const { browser, outcome } = await enterAs({ sub: grace.sub })
    expect(outcome).toBe('signed-in')
    expect((await browser.enter()).user.email).toBe(grace.email)
  })

  test.each(['HS256', 'HS384', 'HS512'])(
    'accepts an ID token that is signed with the client secret (%s)',
    async (alg) => {
      signWith(issuer.settings.clientSecret, alg)
      expect((await enterAs(person())).outcome).toBe('signed-in')
    },
  )

  test.each([
    [true, { email_verified: true }],
    [true, { email_verified: 'true' }],
    [false, { email_verified: 'false' }],
    [false, { email_verified: undefined }],
    [false, { email_verified: 1 }],
  ])('has a verified email: %s, if the issuer says %o', async (isVerified, claims) => {
    const { browser, outcome } = await enterAs(person(claims))
    expect(outcome).toBe('signed-in')
    const idToken = await browser.idToken()
    const payload = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
    expect(payload.email_verified).toBe(isVerified)
  })

  test('returns to the page where it began, if it has no popup', async () => {
    issuer.says(person())
    const browser = visitor(server.app)
    const back = '/register?redirect=%2Fprojects%2F1'
    const start = await browser.send(
      'GET',
      `/api/auth/google/start?${new URLSearchParams({ window: WINDOW, back })}`,
    )
    const answer = await followRedirect(browser, String(start.headers.location))
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${back}#google=signed-in`])
    expect((await browser.enter()).token).toEqual(expect.any(String))
  })

  test.each(['https://attacker.example/login', '//attacker.example', '/login#x', '/dashboard', '/login\\x'])(
    'returns to no other page than those of the sign-in: %s',
    async (back) => {
      const url = `/api/auth/google/start?${new URLSearchParams({ window: WINDOW, back })}`
      expect((await visitor(server.app).send('GET', url)).statusCode).toBe(400)
    },
  )

  test('creates an account without a password, and reports that', async () => {
    const grace = person()
    await enterAs(grace)
    const refused = await visitor(server.app).signIn({ email: grace.email, password: 'difference engine' })
    expect([refused.statusCode, refused.json()]).toEqual([
      401,
      { code: 'no_password', message: 'This account has no password. Please continue with Google.' },
    ])
  })
})

describe('nobody is signed in', () => {
  const past = Math.floor(Date.now() / 1000) - 3600
  const lies: [string, object][] = [
    ['of another nonce', { nonce: 'another nonce entirely' }],
    ['without a nonce', { nonce: undefined }],
    ['for another audience', { aud: 'another-server' }],
    ['of another issuer', { iss: 'https://accounts.attacker.example' }],
    ['that has expired', { iat: past, nbf: past, exp: past + 60 }],
    ['without a subject', { sub: undefined }],
  ]
  test.each(lies)('by an ID token %s', async (_what, lie) => {
    const { browser, outcome } = await enterAs(person(lie))
    expect([outcome, browser.jar.size]).toEqual(['failed', 0])
  })

  test('by an ID token that another key signed with the same key id', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    issuer.server.service.once('beforeResponse', (answer: { body: Record<string, unknown> }) => {
      const signed = String(answer.body.id_token).split('.').slice(0, 2).join('.')
      const signature = sign('sha256', Buffer.from(signed), privateKey).toString('base64url')
      answer.body.id_token = `${signed}.${signature}`
    })
    expect((await enterAs(person())).outcome).toBe('failed')
  })

  test.each([undefined, 'not an address'])('whose address is %s', async (email) => {
    expect((await enterAs(person({ email }))).outcome).toBe('no-address')
  })

  test('by an ID token that is signed with another secret, or with a public key as the secret', async () => {
    const { keys } = await (await fetch(`${issuer.settings.issuer}/jwks`)).json()
    for (const secret of ['another secret of the tests', JSON.stringify(keys[0])]) {
      signWith(secret)
      expect((await enterAs(person())).outcome).toBe('failed')
    }
  })

  test('by an unsigned ID token', async () => {
    issuer.server.service.once('beforeResponse', (answer: { body: Record<string, unknown> }) => {
      const [, payload] = String(answer.body.id_token).split('.')
      const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
      answer.body.id_token = `${header}.${payload}.`
    })
    expect((await enterAs(person())).outcome).toBe('failed')
  })

  test('without an ID token', async () => {
    issuer.server.service.once('beforeResponse', (answer: { body: Record<string, unknown> }) => {
      delete answer.body.id_token
    })
    expect((await enterAs(person())).outcome).toBe('failed')
  })

  test('by a response with another state', async () => {
    issuer.says(person())
    const answer = await signInWithIssuer(visitor(server.app), (back) => {
      back.searchParams.set('state', 'another state entirely')
      return back
    })
    expect(outcomeOf(answer)).toBe('expired')
  })

  test('in a browser other than the one that started the sign-in, nor twice, nor after ten minutes', async () => {
    issuer.says(person())
    const browser = visitor(server.app)
    const { url } = await begin(browser)
    let way = ''
    const other = visitor(server.app)
    const elsewhere = await followRedirect(other, url, (back) => {
      way = back.pathname + back.search
      return back
    })
    expect([outcomeOf(elsewhere), other.jar.size]).toEqual(['expired', 0])

    server.time.now = new Date(Date.now() + 11 * 60_000)
    const late = visitor(server.app)
    for (const [name, value] of browser.jar) late.jar.set(name, value)
    expect(outcomeOf(await late.send('GET', way))).toBe('expired')
    server.time.now = new Date()

    expect(outcomeOf(await browser.send('GET', way))).toBe('signed-in')
    expect(outcomeOf(await browser.send('GET', way))).toBe('expired')
  })

  test('twice by one response, even concurrently and on several processes', { tags: ['long'] }, async () => {
    const second = await testServer({ db: server.settings.db, issuer: issuer.settings })
    issuer.says(person())
    const begun = visitor(server.app)
    const { url } = await begin(begun)
    const answer = await fetch(url, { redirect: 'manual' })
    const back = new URL(answer.headers.get('location') ?? '')
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const browser = visitor(index % 2 ? server.app : second.app)
        for (const [name, value] of begun.jar) browser.jar.set(name, value)
        const outcome = outcomeOf(await browser.send('GET', back.pathname + back.search))
        return { outcome, status: (await browser.send('GET', '/api/auth/token')).statusCode }
      }),
    )
    expect(answers.filter(({ outcome }) => outcome === 'signed-in')).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ outcome }) => outcome === 'expired')).toHaveLength(19)
    const asked = server.logged.concat(second.logged).filter((line) => line.includes('finished before'))
    expect(asked).toHaveLength(19)
    await second.close()
  })

  test.each([
    ['login_required', 'refused'],
    ['temporarily_unavailable', 'unavailable'],
    ['server_error', 'unavailable'],
  ])('whom the issuer refuses with %s; what it says is in the log', async (error, outcome) => {
    const answer = await signInWithIssuer(visitor(server.app), (back) => {
      back.searchParams.delete('code')
      back.searchParams.set('error', error)
      back.searchParams.set('error_description', `The account lacks the group ${error}`)
      return back
    })
    expect(outcomeOf(answer)).toBe(outcome)
    expect(server.logged.join()).toContain(`"error_description":"The account lacks the group ${error}"`)
  })

  test('who denies access at Google', async () => {
    const answer = await signInWithIssuer(visitor(server.app), (back) => {
      back.searchParams.delete('code')
      back.searchParams.set('error', 'access_denied')
      return back
    })
    expect(messageOf(answer)).toEqual({ type: 'milepost:google', window: WINDOW, outcome: 'cancelled' })
  })
})

describe('the popup', () => {
  test('cannot be opened by another site, or with an invalid name', async () => {
    const lured = visitor(server.app, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect((await begin(lured)).response.statusCode).toBe(403)
    const injected = await visitor(server.app).send('GET', '/api/auth/google/start?window=</script>')
    expect([injected.statusCode, injected.headers['content-type']]).toEqual([
      400,
      expect.stringContaining('json'),
    ])
  })

  test('finishes its own sign-in, regardless of others that the browser started later', async () => {
    issuer.says(person())
    const browser = visitor(server.app)
    const names = ['a-window-of-the-first-tab', 'a-window-of-the-second-tab']
    const urls: string[] = []
    for (const window of names) urls.push((await begin(browser, window)).url)
    for (const [index, url] of urls.entries())
      expect(messageOf(await followRedirect(browser, url))).toMatchObject({
        window: names[index],
        outcome: 'signed-in',
      })
  })

  test('leaves a bounded number of cookies, however many popups were closed early', async () => {
    const browser = visitor(server.app)
    const pending = () => [...browser.jar.keys()].filter((name) => name.startsWith('milepost.google'))
    for (let n = 0; n < 20; n += 1) {
      await begin(browser)
      expect(pending().length).toBeLessThanOrEqual(5)
    }
    issuer.says(person())
    expect(outcomeOf(await signInWithIssuer(browser))).toBe('signed-in')
  })

  test('stays connected to its opener, runs one script, and cannot be framed', async () => {
    const { answer } = await enterAs(person())
    const { headers } = answer
    expect(headers['cross-origin-opener-policy']).toBeUndefined()
    expect((await begin(visitor(server.app))).response.headers['cross-origin-opener-policy']).toBeUndefined()
    expect(headers['content-security-policy']).toMatch(/default-src 'none';script-src 'sha256-[^' ]+';/)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test('stores its state in a cookie that is hidden from scripts and other paths', async () => {
    const { response } = await begin(visitor(server.app))
    expect(response.cookies).toEqual([
      expect.objectContaining({ httpOnly: true, sameSite: 'Lax', path: '/api/auth/google', maxAge: 600 }),
    ])
    const publicUrl = 'https://milepost.example'
    const secure = await testServer({ db: server.settings.db, publicUrl, issuer: issuer.settings })
    const { cookies } = (await begin(visitor(secure.app))).response
    expect(cookies[0]).toMatchObject({
      name: expect.stringMatching(/^__Secure-milepost\.google\.\w+$/),
      secure: true,
    })
    await secure.close()
  })
})

test('neither codes nor tokens are logged or stored', async () => {
  const grace = person()
  issuer.says(grace)
  const browser = visitor(server.app)
  const { response, url } = await begin(browser)
  const secrets: string[] = response.cookies.map(({ value }) => value)
  issuer.server.service.once('beforeResponse', ({ body }: { body: Record<string, unknown> }) => {
    secrets.push(String(body.id_token), String(body.access_token))
  })
  await followRedirect(browser, url, (back) => {
    secrets.push(back.searchParams.get('code') ?? '', back.searchParams.get('state') ?? '')
    return back
  })
  await enterAs(person({ nonce: 'a nonce that is a lie' }))
  secrets.push('a nonce that is a lie', issuer.settings.clientSecret)
  expect(secrets).toHaveLength(7)
  const log = server.logged.join('\n')
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
  expect(log).toContain('a Google sign-in failed')
  const { rows } = await sql`
    select "accessToken", "refreshToken", "idToken" from identity.account
    where "accountId" = ${grace.sub}`.execute(server.settings.db)
  expect(rows).toEqual([{ accessToken: null, refreshToken: null, idToken: null }])
})
