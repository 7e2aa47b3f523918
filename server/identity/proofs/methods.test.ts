import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProofRequestOptions } from '#contract/proofs.ts'
import {
  followRedirect,
  messageOf,
  person as personAtIssuer,
  signInWithIssuer,
  type TestIssuer,
  testIssuer,
  WINDOW,
} from '#server/identity/issuer/testing.ts'
import { account, errorOf, registered, type Visitor, visitor } from '#server/identity/local/testing.ts'
import { testDevice } from '#server/identity/passkeys/testing.ts'
import { secured } from '#server/identity/two-factor/testing.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { ageProofs, apiOf } from './testing.ts'

const { password } = account()

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

/** A user with a password whose proof is old. */
async function ada() {
  const { person, fields } = await registered(server)
  const { token, user } = await person.enter()
  const api = apiOf(server, token)
  await ageProofs(server)
  return { browser: person, fields, token, user, api }
}

type Api = ReturnType<typeof apiOf>
const isProven = async (api: Api) => {
  const { statusCode } = await api('DELETE', '/account/sessions')
  return statusCode === 204
}
const methodsOf = async (api: Api) =>
  (await api('GET', '/account/proof')).json<{ methods: string[] }>().methods
const prove = (api: Api, proof: object) => api('POST', '/account/proof/password', proof)

describe('a password', () => {
  test('proves who the person is', async () => {
    const { api } = await ada()
    expect(await methodsOf(api)).toEqual(['password'])
    expect(await isProven(api)).toBe(false)
    expect((await prove(api, { currentPassword: password })).statusCode).toBe(204)
    expect(await isProven(api)).toBe(true)
  })

  test('that is wrong proves nothing and ends no session, with the limits of signing in', async () => {
    const { browser, fields, api } = await ada()
    for (let guess = 0; guess < 5; guess += 1) {
      const response = await prove(api, { currentPassword: `guess ${guess}` })
      expect(response.json()).toMatchObject({
        code: 'invalid',
        issues: [{ path: 'currentPassword', message: 'Incorrect password' }],
      })
    }
    expect(await errorOf(prove(api, { currentPassword: password }))).toEqual([429, 'too_many_requests'])
    expect(await errorOf(browser.signIn(fields))).toEqual([429, 'too_many_requests'])
    expect(await isProven(api)).toBe(false)
    expect((await api('GET', '/users/me')).statusCode).toBe(200)
  })

  test('needs a code, too, if two-step sign-in is on', async () => {
    const { token, fields, nextCode } = await secured(server)
    const api = apiOf(server, token)
    await ageProofs(server)
    expect(await methodsOf(api)).toEqual(['password_and_code'])
    const currentPassword = fields.password
    const issuesOf = async (proof: object) =>
      (await prove(api, proof)).json<{ issues: { path: string }[] }>().issues.map(({ path }) => path)
    expect(await issuesOf({ currentPassword })).toEqual(['code'])
    expect(await issuesOf({ currentPassword, code: '000000' })).toEqual(['code'])
    const code = nextCode()
    expect(await issuesOf({ currentPassword: 'wrong', code })).toEqual(['currentPassword'])
    expect(await isProven(api)).toBe(false)
    expect((await prove(api, { currentPassword, code })).statusCode).toBe(204)
    expect(await isProven(api)).toBe(true)
    expect(await issuesOf({ currentPassword, code })).toEqual(['code'])
  })
})

describe('a passkey', () => {
  /** Adds the passkey of a device, within ten minutes of the sign-in. */
  async function withPasskey() {
    const { person, fields } = await registered(server)
    const { token } = await person.enter()
    const api = apiOf(server, token)
    const device = testDevice()
    const begun = await api('POST', '/account/passkeys', { currentPassword: fields.password })
    const { passkeyId, options } = begun.json()
    const credential = device.create(options)
    await api('PUT', `/account/passkeys/${passkeyId}/credential`, { name: 'Laptop', credential })
    await ageProofs(server)
    return { api, device, browser: person }
  }

  const challenged = async (api: Api) =>
    (await api('POST', '/account/proof/passkey/challenge')).json<ProofRequestOptions>()
  const present = (api: Api, credential: object) => api('POST', '/account/proof/passkey', { credential })

  test('of the account proves who the person is, once for each challenge', async () => {
    const { api, device } = await withPasskey()
    expect(await methodsOf(api)).toEqual(['password', 'passkey'])
    const options = await challenged(api)
    expect(options.allowCredentials.map(({ id }) => id)).toEqual([device.id])
    const credential = device.sign(options)
    expect((await present(api, credential)).statusCode).toBe(204)
    expect(await isProven(api)).toBe(true)
    await ageProofs(server)
    expect(await errorOf(present(api, credential))).toEqual([410, 'expired'])
    expect(await isProven(api)).toBe(false)
  })

  test('proves nothing without the person, for another account, or by the challenge of a sign-in', async () => {
    const { api, device, browser } = await withPasskey()
    const eve = await withPasskey()
    const unverified = device.sign(await challenged(api), { verifies: false })
    expect(await errorOf(present(api, unverified))).toEqual([409, 'conflict'])
    expect(await errorOf(present(api, eve.device.sign(await challenged(api))))).toEqual([409, 'conflict'])
    expect(await errorOf(present(eve.api, device.sign(await challenged(api))))).toEqual([410, 'expired'])
    const toSignIn = (await browser.send('POST', '/api/auth/passkey/challenge')).json<ProofRequestOptions>()
    expect(await errorOf(present(api, device.sign(toSignIn)))).toEqual([410, 'expired'])
    expect(await isProven(api)).toBe(false)
  })

  test('is not asked for if there is none', async () => {
    const { api } = await ada()
    expect(await errorOf(api('POST', '/account/proof/passkey/challenge'))).toEqual([409, 'conflict'])
  })
})

describe('the issuer', () => {
  /** A person without a password, whose proof is old. */
  async function grace(at = server) {
    const claims = personAtIssuer()
    issuer.says(claims)
    const browser = visitor(at.app)
    await signInWithIssuer(browser)
    const { token } = await browser.enter()
    await ageProofs(at)
    return { claims, browser, api: apiOf(at, token) }
  }

  async function begin(browser: Visitor, query = '') {
    const response = await browser.send('GET', `/api/auth/google/proof?window=${WINDOW}${query}`)
    return { response, url: String(response.headers.location) }
  }
  const proveAs = async (browser: Visitor, claims: object, query?: string) => {
    issuer.says(claims)
    const { url } = await begin(browser, query)
    return followRedirect(browser, url)
  }

  test('proves who the person is, after it was told to authenticate them again', async () => {
    const { claims, browser, api } = await grace()
    expect(await methodsOf(api)).toEqual(['issuer'])
    expect(await isProven(api)).toBe(false)
    const { url } = await begin(browser)
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
    const now = Math.floor(server.time.now.getTime() / 1000)
    const answer = await proveAs(browser, { ...claims, auth_time: now })
    expect(messageOf(answer)).toMatchObject({ window: WINDOW, outcome: 'proven' })
    expect(await isProven(api)).toBe(true)
  })

  test('proves nothing for another person, or if it says that it authenticated them before', async () => {
    const { claims, browser, api } = await grace()
    expect(messageOf(await proveAs(browser, personAtIssuer())).outcome).toBe('other-account')
    const before = Math.floor(server.time.now.getTime() / 1000) - 3600
    const old = await proveAs(browser, { ...claims, auth_time: before })
    expect(messageOf(old).outcome).toBe('not-asked')
    expect(await isProven(api)).toBe(false)
  })

  test('leads back to the page without a popup; a failure is shown before', async () => {
    const { claims, browser, api } = await grace()
    const back = `&back=${encodeURIComponent('/settings/tokens')}`
    const refused = await proveAs(browser, personAtIssuer(), back)
    expect([refused.statusCode, refused.body]).toEqual([
      200,
      expect.stringContaining('href="/settings/tokens"'),
    ])
    const proven = await proveAs(browser, claims, back)
    expect([proven.statusCode, proven.headers.location]).toEqual([303, '/settings/tokens'])
    expect(await isProven(api)).toBe(true)
    for (const elsewhere of ['//evil.example', '/\\evil.example', 'https://evil.example'])
      expect((await begin(browser, `&back=${encodeURIComponent(elsewhere)}`)).response.statusCode).toBe(400)
  })

  test('is not asked without a session, nor for an account with two-step sign-in', async () => {
    const { response } = await begin(visitor(server.app))
    expect(messageOf(response).outcome).toBe('expired')

    const { browser, token, user } = await secured(server)
    await sql`update identity."user" set "emailVerified" = true where email = ${user.email}`.execute(
      server.settings.db,
    )
    const claims = personAtIssuer({ email: user.email })
    issuer.says(claims)
    await signInWithIssuer(visitor(server.app))
    const api = apiOf(server, token)
    await ageProofs(server)
    expect(await methodsOf(api)).toEqual(['password_and_code'])
    expect(messageOf(await proveAs(browser, claims)).outcome).toBe('second-factor')
    expect(await isProven(api)).toBe(false)
  })

  test('is the only method where people sign in with it alone', async () => {
    const only = await testServer({ db: server.settings.db, issuer: issuer.settings, issuerOnly: true })
    const { browser, api, claims } = await grace(only)
    expect(await methodsOf(api)).toEqual(['issuer'])
    expect(await errorOf(prove(api, { currentPassword: password }))).toEqual([403, 'forbidden'])
    expect(messageOf(await proveAs(browser, claims)).outcome).toBe('proven')
    expect(await isProven(api)).toBe(true)
    await only.close()
  })

  test('that is set up no longer leaves its accounts without a method, and they are told so', async () => {
    const { browser } = await grace()
    const without = await testServer({ db: server.settings.db })
    const api = apiOf(without, (await browser.enter()).token)
    expect(await methodsOf(api)).toEqual([])
    expect(await isProven(api)).toBe(false)
    await without.close()
  })
})
