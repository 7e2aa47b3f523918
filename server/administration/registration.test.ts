import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RegistrationMode } from '#contract/identity.ts'
import { makeToken } from '#server/collaborators/invitation-proof.ts'
import { linkAccount } from '#server/identity/issuer/link-account.ts'
import { ISSUER } from '#server/identity/local/id-tokens.ts'
import { account, visitor } from '#server/identity/local/testing.ts'
import { mailingTestServer, type TestServer, testServer } from '#server/testing/local-server.ts'
import { createRegistration, type RegistrationRule } from './registration.ts'
import { createRegistrationPolicy } from './registration-policy.ts'

let server: TestServer
let chief: string
let rule: RegistrationRule
const registration = { read: async () => rule }
beforeAll(async () => {
  rule = { mode: 'open', from: 'unset', domains: [] }
  server = await testServer({
    registrationPolicy: createRegistrationPolicy({ registration, clock: () => new Date() }),
  })
  const first = visitor(server.app)
  await first.signUp()
  chief = (await first.enter()).token
})
afterAll(() => server.close())
beforeEach(() => holds('open'))
afterEach(() => holds('open'))

function holds(mode: RegistrationMode, domains: string[] = []) {
  rule = { mode, from: 'administrators', domains }
}

const asChief = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  server.app.inject({
    method,
    url: `/api${url}`,
    headers: { authorization: `Bearer ${chief}` },
    ...(payload && { payload }),
  })

/** Registers like the screen: at the provider, and by exchanging its ID token. */
async function register(fields: object = account(), invitation?: string) {
  const person = visitor(server.app)
  const link = invitation === undefined ? {} : { invitation }
  const signedUp = await person.signUp({ ...fields, ...link })
  if (signedUp.statusCode !== 204) return { ...outcomeOf(signedUp), person }
  return { ...outcomeOf(await person.exchange({ idToken: await person.idToken(), ...link })), person }
}

function outcomeOf(response: { statusCode: number; json: () => unknown }) {
  const { code, message } = response.json() as { code?: string; message?: string }
  return { status: response.statusCode, code, message }
}

/** Invites a person to a project of the administrator. */
async function invited(email: string): Promise<string> {
  const project = (await asChief('POST', '/projects', { title: 'A boat', description: 'Of cedar' })).json<{
    _id: string
  }>()
  const made = await asChief('POST', `/projects/${project._id}/collaborators`, { email, role: 'editor' })
  return made.json<{ inviteToken: string }>().inviteToken
}

const inviteToServer = async (email: string) =>
  (await asChief('POST', '/admin/invitations', { email })).json<{ _id: string; token: string }>()

const usersWith = async (email: string) => {
  const counted = await server.deps.db.selectFrom('users').select('id').where('email', '=', email).execute()
  return counted.length
}

describe('registering', () => {
  it('is open to everybody by default', async () => {
    const fresh = createRegistration({ db: server.deps.db, clock: () => new Date() })
    expect(await fresh.read(server.deps.db)).toEqual({ mode: 'open', from: 'unset', domains: [], version: 1 })
    expect(await register()).toMatchObject({ status: 200 })
  })

  it('returns the same error for every email while it is closed, and creates no account', async () => {
    const known = account()
    await register(known)
    holds('closed')
    const unknown = account()
    const refusal = {
      status: 403,
      code: 'registration_closed',
      message: 'This server takes no new accounts.',
    }
    expect(await register(known)).toMatchObject(refusal)
    expect(await register(unknown)).toMatchObject(refusal)
    const signedIn = await visitor(server.app).signIn(unknown)
    expect(signedIn.json()).toMatchObject({ code: 'no_account' })
  })

  it('is always possible with the link of an invitation to a project', async () => {
    for (const mode of ['closed', 'invitation', 'approval'] as const) {
      const fields = account()
      holds('open')
      const token = await invited(fields.email)
      holds(mode, ['elsewhere.test'])
      expect(await register({ ...fields, email: account().email }, token)).toMatchObject({ status: 403 })
      expect(await register(fields, makeToken().token)).toMatchObject({ status: 403 })
      expect(await register({ ...fields, email: fields.email.toUpperCase() }, token)).toMatchObject({
        status: 200,
      })
    }
  })

  it('is possible once with an invitation to the server, unless registration is closed', async () => {
    holds('invitation')
    const fields = account()
    const { token } = await inviteToServer(fields.email)
    const message = 'New accounts on this server need an invitation. Open the link that was sent to you.'
    expect(await register(fields)).toMatchObject({ status: 403, message })
    holds('closed')
    expect(await register(fields, token)).toMatchObject({ status: 403, code: 'registration_closed' })
    holds('invitation')
    expect(await register(fields, token)).toMatchObject({ status: 200 })
    const open = (await asChief('GET', '/admin/invitations')).json<{ email: string }[]>()
    expect(open.map(({ email }) => email)).not.toContain(fields.email)
  })

  it('is refused with a link that was replaced or withdrawn', async () => {
    holds('invitation')
    const fields = account()
    const first = await inviteToServer(fields.email)
    const second = await inviteToServer(fields.email)
    expect(second._id).toBe(first._id)
    expect(await register(fields, first.token)).toMatchObject({ status: 403 })
    expect((await asChief('DELETE', `/admin/invitations/${second._id}`)).statusCode).toBe(204)
    expect(await register(fields, second.token)).toMatchObject({ status: 403 })
  })

  it('accepts only emails of the allowed domains', async () => {
    holds('open', ['example.org', 'example.com'])
    expect(await register()).toMatchObject({
      status: 403,
      message: 'New accounts on this server need an email address of example.org or example.com.',
    })
    expect(await register({ ...account(), email: 'evil@example.org.example.test' })).toMatchObject({
      status: 403,
    })
    expect(await register({ ...account(), email: 'Ada@Example.ORG' })).toMatchObject({ status: 200 })
  })

  it('may require an administrator’s approval, before which no session exists', async () => {
    holds('approval')
    const fields = account()
    const waiting = await register(fields)
    expect(waiting).toMatchObject({ status: 403, code: 'account_awaiting' })
    const found = await asChief('GET', `/admin/people?filter=awaiting&search=${fields.email}`)
    const [person] = found.json<{ people: { _id: string; state: string; lastSeenAt: null }[] }>().people
    expect(person).toMatchObject({ state: 'awaiting', lastSeenAt: null })
    const again = await waiting.person.exchange({ idToken: await waiting.person.idToken() })
    expect(outcomeOf(again)).toMatchObject({ code: 'account_awaiting' })
    await asChief('PUT', `/admin/people/${person?._id}`, { isApproved: true })
    expect(await waiting.person.me((await waiting.person.enter()).token)).toBe(200)
    expect((await asChief('DELETE', `/admin/people/${person?._id}`)).statusCode).toBe(409)
  })

  it('leaves no data of a person who was refused', async () => {
    holds('approval')
    const fields = account()
    const { person } = await register(fields)
    const found = await asChief('GET', `/admin/people?search=${fields.email}`)
    const [waiting] = found.json<{ people: { _id: string }[] }>().people
    expect((await asChief('DELETE', `/admin/people/${waiting?._id}`)).statusCode).toBe(204)
    expect(await usersWith(fields.email)).toBe(0)
    expect((await person.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect((await visitor(server.app).signIn(fields)).json()).toMatchObject({ code: 'no_account' })
  })

  it('is completed without approval if the person returns with an invitation link', async () => {
    holds('approval')
    const fields = account()
    const { person } = await register(fields)
    const invitation = await invited(fields.email)
    const response = await person.exchange({ idToken: await person.idToken(), invitation })
    expect(response.statusCode).toBe(200)
  })

  it('follows the same rules with Google, where a verified email requires no link', async () => {
    const { db } = server.deps
    const registrationPolicy = createRegistrationPolicy({ registration, clock: () => new Date() })
    const link = (email: string, emailVerified = true) =>
      linkAccount(
        { db, localIssuer: ISSUER, registrationPolicy },
        {
          issuer: 'https://accounts.example',
          subject: email,
          email,
          emailVerified,
          name: 'Ada',
          picture: null,
          authenticatedAt: null,
        },
      )
    holds('invitation')
    const { email } = account()
    await expect(link(email)).rejects.toMatchObject({ code: 'registration_closed' })
    await inviteToServer(email)
    await expect(link(email, false)).rejects.toMatchObject({ code: 'registration_closed' })
    expect(await link(email)).toEqual({ userId: expect.any(String) })
  })

  it('is checked during the token exchange, and therefore for every provider', async () => {
    holds('open')
    const person = visitor(server.app)
    await person.signUp()
    holds('closed')
    const refusal = await person.exchange({ idToken: await person.idToken() })
    expect(outcomeOf(refusal)).toMatchObject({ status: 403, code: 'registration_closed' })
  })

  it('is always possible for the first account of a server, and makes exactly one concurrent first account an administrator', async () => {
    holds('closed')
    const fresh = await testServer({
      registrationPolicy: createRegistrationPolicy({ registration, clock: () => new Date() }),
    })
    const people = Array.from({ length: 4 }, () => visitor(fresh.app))
    for (const person of people) expect((await person.signUp()).statusCode).toBe(204)
    const tokens = await Promise.all(people.map((person) => person.idToken()))
    const outcomes = await Promise.all(people.map((person, at) => person.exchange({ idToken: tokens[at] })))
    expect(outcomes.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 403, 403, 403,
    ])
    const users = await fresh.deps.db.selectFrom('users').select('is_admin').execute()
    expect(users).toEqual([{ is_admin: true }])
    await fresh.close()
  })
})

it('uses an emailed link if the server sends mail, which is sent once', async () => {
  const mailing = await mailingTestServer({ registration: 'invitation' })
  const first = visitor(mailing.app)
  await first.signUp()
  const { token } = await first.enter()
  const fields = account()
  await mailing.app.inject({
    method: 'POST',
    url: '/api/admin/invitations',
    headers: { authorization: `Bearer ${token}` },
    payload: { email: fields.email },
  })
  const { content } = await mailing.sink.emailTo(fields.email)
  const [, invitation] = /localhost:4400\/register\?invitation=3?D?([\w-]{43})/.exec(content) ?? []
  const person = visitor(mailing.app)
  expect((await person.signUp({ ...fields, invitation })).statusCode).toBe(204)
  const entered = await person.exchange({ idToken: await person.idToken(), invitation })
  expect(entered.statusCode).toBe(200)
  await mailing.close()
})

it('sends one email after approval if the server sends mail', { tags: ['long'] }, async () => {
  const mailing = await mailingTestServer({ registration: 'approval' })
  const first = visitor(mailing.app)
  await first.signUp()
  const { token } = await first.enter()
  const fields = account()
  const person = visitor(mailing.app)
  await person.signUp(fields)
  expect((await person.exchange({ idToken: await person.idToken() })).statusCode).toBe(403)
  const headers = { authorization: `Bearer ${token}` }
  const found = await mailing.app.inject({ url: `/api/admin/people?search=${fields.email}`, headers })
  const id = found.json<{ people: { _id: string }[] }>().people[0]?._id
  const approve = () =>
    mailing.app.inject({
      method: 'PUT',
      url: `/api/admin/people/${id}`,
      headers,
      payload: { isApproved: true },
    })
  await Promise.all([approve(), approve()])
  await vi.waitFor(() => expect(approvals()).toHaveLength(1), { timeout: 60_000 })
  const { rows } = await sql`select from jobs.job where name = 'approval-emails'`.execute(mailing.db)
  expect(rows).toHaveLength(1)
  await mailing.close()

  function approvals() {
    const ofThem = mailing.sink.delivered.filter(({ to }) => to.includes(fields.email))
    return ofThem.filter(({ content }) => content.includes('Your account on Milepost is approved'))
  }
})

describe('the registration mode', () => {
  it('is chosen by administrators and shown to visitors', async () => {
    const own = await testServer({ registration: 'open' })
    const first = visitor(own.app)
    await first.signUp()
    const { token } = await first.enter()
    const choose = (payload: object) =>
      own.app.inject({
        method: 'PUT',
        url: '/api/admin/registration',
        headers: { authorization: `Bearer ${token}` },
        payload,
      })
    // The operator's setting takes precedence, except for the domains.
    expect((await choose({ mode: 'closed', domains: [] })).statusCode).toBe(409)
    const chosen = await choose({ mode: 'open', domains: ['Example.org ', 'example.org'] })
    expect(chosen.json()).toMatchObject({
      registration: { mode: 'open', from: 'settings', domains: ['example.org'] },
    })
    const shown = await own.app.inject({ url: '/api/identity' })
    expect(shown.json()).toMatchObject({ registration: 'open', emailDomains: ['example.org'] })
    expect((await choose({ mode: 'open', domains: ['no domain'] })).statusCode).toBe(400)
    await own.close()
  })

  it('prevents administrators from inviting to a closed server, because the link would not work', async () => {
    const own = await testServer({ registration: 'closed' })
    const first = visitor(own.app)
    await first.signUp()
    const { token } = await first.enter()
    const response = await own.app.inject({
      method: 'POST',
      url: '/api/admin/invitations',
      headers: { authorization: `Bearer ${token}` },
      payload: { email: 'ada@example.test' },
    })
    expect(response.statusCode).toBe(409)
    await own.close()
  })
})
