import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import { localProviderCalls } from '#contract/identity.ts'
import type { Call } from '#contract/parts/call.ts'
import { passkeySignInCalls } from '#contract/passkeys.ts'
import {
  messageOf,
  person as personAtIssuer,
  signInWithIssuer,
  type TestIssuer,
  testIssuer,
} from '#server/identity/issuer/testing.ts'
import { errorOf, registered, visitor } from '#server/identity/local/testing.ts'
import { secured } from '#server/identity/two-factor/testing.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'

let issuer: TestIssuer
/** Two servers on one database: without and with `issuerOnly`. */
let before: TestServer
let server: TestServer
beforeAll(async () => {
  issuer = await testIssuer()
  before = await testServer({ issuer: issuer.settings })
  server = await issuerOnlyServer()
})
afterAll(async () => {
  await server.close()
  await before.close()
  await issuer.close()
})

const issuerOnlyServer = (more: Parameters<typeof testServer>[0] = {}) =>
  testServer({ db: before.settings.db, issuer: issuer.settings, issuerOnly: true, ...more })

/** Signs in a new browser as the person whom the issuer describes. */
async function enteredAs(claims: object, at = server) {
  issuer.says(claims)
  const browser = visitor(at.app)
  const { outcome } = messageOf(await signInWithIssuer(browser))
  return { browser, outcome }
}

const every: Record<string, Call> = { ...calls, ...localProviderCalls, ...passkeySignInCalls }
/** Selected by name, so that new calls are included. */
const switchedOff = Object.entries(every).filter(([name]) =>
  /password|passkey|two-?factor|recoverycode|resetlink|sign(up|in)atprovider|change(person)?email$/i.test(
    name,
  ),
)

const bytes = 'AAAA'
const credential = { id: bytes, rawId: bytes, type: 'public-key' }
/** Valid bodies, so that the calls are not refused for invalid ones. */
const body = {
  name: 'Ada',
  email: 'ada@example.test',
  password: 'difference engine',
  currentPassword: 'difference engine',
  newPassword: 'analytical engine',
  token: 'a token',
  code: '123456',
  credential: {
    ...credential,
    response: { clientDataJSON: bytes, attestationObject: bytes, authenticatorData: bytes, signature: bytes },
  },
}

describe('on a server with issuer-only sign-in', () => {
  test('there are calls to disable', () => {
    expect(switchedOff.length).toBeGreaterThanOrEqual(21)
  })

  test.each(switchedOff)('%s is forbidden', async (_name, { method, path }) => {
    const { browser } = await enteredAs(personAtIssuer())
    const { token, user } = await browser.enter()
    await sql`update users set is_admin = true where id = ${user._id}`.execute(server.settings.db)
    issuer.says(personAtIssuer())
    const { user: other } = await (await enteredAs(personAtIssuer())).browser.enter()
    const url = path.replace(':personId', other._id).replaceAll(/:\w+/g, randomUUID())
    const payload = method === 'GET' || method === 'DELETE' ? {} : { payload: body }
    const headers = { authorization: `Bearer ${token}`, origin: 'http://localhost:4400' }
    expect(await errorOf(server.app.inject({ method, url, headers, ...payload }))).toEqual([403, 'forbidden'])
  })

  test('browsers are told so before a password can be typed', async () => {
    expect((await server.app.inject('/api/identity')).json()).toMatchObject({
      google: true,
      issuerName: 'Google',
      issuerOnly: true,
      passkeys: false,
    })
    expect((await before.app.inject('/api/identity')).json()).toMatchObject({ issuerOnly: false })
  })

  test('an account with a password signs in through the issuer without a second step, and is deleted with its email', async () => {
    const { fields } = await secured(before)
    await sql`update identity."user" set "emailVerified" = true where email = ${fields.email}`.execute(
      server.settings.db,
    )
    const { browser, outcome } = await enteredAs(personAtIssuer({ email: fields.email }))
    expect(outcome).toBe('signed-in')
    const { token } = await browser.enter()
    const headers = { authorization: `Bearer ${token}` }
    const account = await server.app.inject({ url: '/api/account', headers })
    expect(account.json()).toMatchObject({ email: fields.email, password: 'off' })
    const deletion = await server.app.inject({
      method: 'POST',
      url: '/api/account/deletion',
      headers,
      payload: { email: fields.email },
    })
    expect(deletion.statusCode).toBe(200)
  })

  test('the start ends the sessions of accounts that are not linked to the issuer, and no others', async () => {
    const { person } = await registered(before)
    const { token } = await person.enter()
    const { browser } = await enteredAs(personAtIssuer(), before)
    const { token: vouchedFor } = await browser.enter()
    const restarted = await issuerOnlyServer()
    expect(await person.me(token)).toBe(401)
    expect(await browser.me(vouchedFor)).toBe(200)
    await restarted.close()
  })

  test('a person who is invited to a project can register through the issuer even if registration is closed', async () => {
    const closed = await issuerOnlyServer({ registration: 'closed' })
    const { browser: owner } = await enteredAs(personAtIssuer())
    const { token } = await owner.enter()
    const headers = { authorization: `Bearer ${token}` }
    const project = await server.app.inject({
      method: 'POST',
      url: '/api/projects',
      headers,
      payload: { title: 'A canoe', description: 'Strip by strip' },
    })
    const invited = personAtIssuer()
    await server.app.inject({
      method: 'POST',
      url: `/api/projects/${project.json<{ _id: string }>()._id}/collaborators`,
      headers,
      payload: { email: invited.email, role: 'editor' },
    })
    expect((await enteredAs(personAtIssuer(), closed)).outcome).toBe('closed')
    const { browser, outcome } = await enteredAs(invited, closed)
    expect(outcome).toBe('signed-in')
    expect((await browser.enter()).user.email).toBe(invited.email)
    await closed.close()
  })
})
