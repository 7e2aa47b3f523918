import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AuditEvent } from '#contract/audit-log.ts'
import { type CallName, calls } from '#contract/calls.ts'
import type { Person as Account } from '#contract/people.ts'
import { purgeAccounts } from '#server/account/deletion.ts'
import { readEvents } from '#server/events/testing.ts'
import { features } from '#server/features.ts'
import { resetPassword } from '#server/identity/local/passwords.ts'
import { account, visitor } from '#server/identity/local/testing.ts'
import { secured } from '#server/identity/two-factor/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { sweepAuditLog } from './audit.ts'
import { appointAdministrator } from './people.ts'

const DAY_MS = 24 * 60 * 60_000

let t: TestApp
let admin: Person
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const setAdmin = ({ userId }: { userId: string }, isAdmin = true) =>
  t.pool.query('update users set is_admin = $2 where id = $1', [userId, isAdmin])

beforeEach(async () => {
  await t.pool.query('update users set is_admin = false')
  admin = await t.person({ name: 'Grace Hopper' })
  await setAdmin(admin)
})

type Change = { isApproved?: true; isSuspended?: boolean; isAdmin?: boolean }
const change = ({ userId: personId }: { userId: string }, body: Change, as = admin) =>
  t.call('updatePerson', { params: { personId }, body }, { as })
const refusedChange = ({ userId: personId }: { userId: string }, body: Change, as = admin) =>
  t.refused('updatePerson', { params: { personId }, body }, { as })
const log = async (): Promise<AuditEvent[]> => (await t.call('listAuditLog', {}, { as: admin })).events
const find = async (email: string): Promise<Account | undefined> =>
  (await t.call('listPeople', { query: { search: email } }, { as: admin })).people[0]

describe('who may administer', () => {
  const names = Object.entries(calls).filter(([, { who }]) => who === 'administrator')

  it('is checked before the body of a call is read: for others, the calls return 404', async () => {
    const { headers } = await t.person()
    for (const [, { method, path }] of names) {
      const url = path.replaceAll(/:\w+/g, 'no-id')
      const response = await t.app.inject({ method, url, headers, payload: method === 'GET' ? '' : '{' })
      expect([response.statusCode, response.json()]).toEqual([
        404,
        { code: 'not_found', message: 'There is nothing at this address' },
      ])
    }
    expect(names.map(([name]) => name as CallName)).toContain('readInstance')
  })

  it('takes effect with the next call when somebody becomes an administrator or loses that right', async () => {
    const other = await t.person()
    expect(await change(other, { isAdmin: true })).toMatchObject({ isAdmin: true })
    expect(await t.call('readMe', {}, { as: other })).toMatchObject({ isAdmin: true })
    await t.call('readInstance', {}, { as: other })
    expect(await change(admin, { isAdmin: false }, other)).toMatchObject({ isAdmin: false })
    expect(await t.refused('readInstance', {}, { as: admin })).toMatchObject({ status: 404 })
    expect(await t.call('readMe', {}, { as: admin })).not.toHaveProperty('isAdmin')
    await change(admin, { isAdmin: true }, other)
    expect((await log()).slice(0, 3).map(({ kind }) => kind)).toEqual([
      'administrator_made',
      'administrator_unmade',
      'administrator_made',
    ])
  })

  it('cannot change so that accounts remain without an administrator', async () => {
    expect(await refusedChange(admin, { isAdmin: false })).toMatchObject({ status: 409 })
    const body = { email: admin.email }
    expect(await t.refused('deleteAccount', { body }, { as: admin })).toEqual({
      status: 409,
      code: 'conflict',
      message: 'You are the last administrator of this server. Make somebody else one first.',
    })
    const other = await t.person()
    await change(other, { isAdmin: true })
    const outcomes = await Promise.allSettled([
      change(admin, { isAdmin: false }, other),
      change(other, { isAdmin: false }, admin),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('the quota of an account', () => {
  it('is changed by an administrator and reset to the default, effective with the next write', async () => {
    const ada = await t.person()
    const usual = (await t.call('readAccount', {}, { as: ada })).storage.quota
    const { _id: projectId } = await t.project(ada)
    const milestone = await t.milestone(ada, projectId)
    const params = { milestoneId: milestone._id }
    const body = { title: 'Long', content: 'x'.repeat(190_000) }
    for (let n = 0; n < 6; n += 1) await t.call('createEntry', { params, body }, { as: ada })

    const send = (quota: number | null) =>
      t.call('updatePerson', { params: { personId: ada.userId }, body: { quota } }, { as: admin })
    expect(await send(1_000_000)).toMatchObject({ storage: { quota: 1_000_000, usual } })
    expect((await t.call('readAccount', {}, { as: ada })).storage.quota).toBe(1_000_000)
    expect(await t.refused('createEntry', { params, body }, { as: ada })).toMatchObject({
      status: 413,
      code: 'quota_exceeded',
      message: expect.stringContaining('fill the 1 MB') as string,
    })
    expect(await send(null)).toMatchObject({ storage: { quota: usual, usual } })
    await t.call('createEntry', { params, body }, { as: ada })
    await send(null)
    const events = (await log()).filter(({ kind }) => kind === 'quota_changed')
    expect(events.map(({ details }) => details.quota)).toEqual([null, 1_000_000])
  })

  it('is an integer number of bytes, at least a megabyte', async () => {
    const { userId: personId } = await t.person()
    for (const quota of [0, -1, 999_999, 1.5, 1e16, '5']) {
      const response = await t.app.inject({
        method: 'PUT',
        url: `/api/admin/people/${personId}`,
        headers: admin.headers,
        payload: { quota },
      })
      expect([quota, response.statusCode]).toEqual([quota, 400])
    }
  })
})

describe('suspending', () => {
  it('ends sessions, tokens and open streams immediately, and prevents sign-in', async () => {
    const replica = await t.replica()
    await replica.listen({ port: 0, host: '127.0.0.1' })
    const somebody = await t.person({ name: 'Ada Lovelace' })
    const reading = await readEvents(replica, somebody)
    await vi.waitFor(() => expect(reading.heard).toContainEqual({ type: 'ready' }), { timeout: 60_000 })

    expect(await change(somebody, { isSuspended: true })).toMatchObject({ state: 'suspended' })
    expect(await t.refused('readMe', {}, { as: somebody })).toMatchObject({ status: 401 })
    await vi.waitFor(() => expect(reading.hasEnded).toBe(true), { timeout: 60_000 })
    await replica.close()
  })

  it('is refused for oneself and for other administrators', async () => {
    const other = await t.person()
    await change(other, { isAdmin: true })
    expect(await refusedChange(admin, { isSuspended: true })).toMatchObject({ status: 409 })
    expect(await refusedChange(other, { isSuspended: true })).toMatchObject({ status: 409 })
  })

  it('prevents a person from becoming an administrator', async () => {
    const somebody = await t.person()
    await change(somebody, { isSuspended: true })
    expect(await refusedChange(somebody, { isAdmin: true })).toMatchObject({ status: 409 })
  })

  it('prevents a person from becoming the owner of a project', async () => {
    const owner = await t.person()
    const project = await t.project(owner)
    const member = await t.member(project._id, 'editor')
    const [row] = await t.call('listCollaborators', { params: { projectId: project._id } }, { as: owner })
    await change(member, { isSuspended: true })
    const { shared } = await t.call('previewDeletion', {}, { as: owner })
    expect(shared).toEqual([{ _id: project._id, title: project.title, members: [] }])
    const transfer = { params: { projectId: project._id }, body: { collaborator: row?._id ?? '' } }
    expect(await t.refused('transferProject', transfer, { as: owner })).toMatchObject({ status: 409 })
  })

  it('does not affect what the person has published', async () => {
    const somebody = await t.person()
    const project = await t.project(somebody, { isPublic: true })
    await change(somebody, { isSuspended: true })
    const world = await t.call('readWorld', { params: { projectId: project._id } }, {})
    expect(world.project.title).toBe(project.title)
  })
})

describe('the list of people', () => {
  it('is searched by part of a name or an email, shows the storage of each, and is paginated', async () => {
    const word = `Zuse${Date.now()}`
    const created = []
    for (let count = 0; count < 3; count += 1) created.push(await t.person({ name: `${word} ${count}` }))
    const found = await t.call('listPeople', { query: { search: word.toUpperCase() } }, { as: admin })
    expect(found.people.map(({ name }) => name)).toEqual([2, 1, 0].map((count) => `${word} ${count}`))
    expect(found.next).toBeNull()
    const [newest, second] = found.people
    expect(newest).toMatchObject({ state: 'active', isAdmin: false, storage: { used: 0, quota: 5e9 } })
    expect(newest?.lastSeenAt).not.toBeNull()
    const rest = await t.call(
      'listPeople',
      { query: { search: word, before: second?._id ?? '' } },
      { as: admin },
    )
    expect(rest.people.map(({ name }) => name)).toEqual([`${word} 0`])
    const project = await t.project(created[0] as Person)
    expect((await find(`${word} 0`))?.storage.used).toBeGreaterThan(project.title.length)
  })

  it('is filtered by status', async () => {
    const somebody = await t.person()
    await change(somebody, { isSuspended: true })
    const suspended = await t.call('listPeople', { query: { filter: 'suspended' } }, { as: admin })
    expect(suspended.people.map(({ _id }) => _id)).toContain(somebody.userId)
    const administrators = await t.call('listPeople', { query: { filter: 'administrators' } }, { as: admin })
    expect(administrators.people.map(({ _id }) => _id)).toEqual([admin.userId])
  })
})

describe('the audit log', () => {
  it('records who did what to whom, and cannot be changed', async () => {
    const somebody = await t.person({ name: 'Ada Lovelace' })
    await change(somebody, { isSuspended: true })
    await change(somebody, { isSuspended: true })
    await change(somebody, { isSuspended: false })
    const [latest, before] = await log()
    expect([latest?.kind, before?.kind]).toEqual(['account_unsuspended', 'account_suspended'])
    expect(latest).toMatchObject({ actor: { name: 'Grace Hopper' }, person: { name: 'Ada Lovelace' } })
    await expect(t.pool.query('update audit_log set actor_id = null')).rejects.toThrow('does not change')
    await expect(t.pool.query('delete from audit_log')).rejects.toThrow('kept for 180 days')
  })

  it('goes back 180 days', async () => {
    const old = new Date(Date.now() - 181 * DAY_MS)
    await t.pool.query(
      `insert into audit_log (id, kind, details, created_at) values (gen_random_uuid(), 'person_invited', '{}', $1)`,
      [old],
    )
    await sweepAuditLog(t.deps.db, new Date())
    const { rows } = await t.pool.query('select from audit_log where created_at <= $1', [old])
    expect(rows).toEqual([])
  })

  it('loses the name and email of a deleted account', async () => {
    const somebody = await t.person({ name: 'Ada Lovelace' })
    await t.call('inviteToServer', { body: { email: somebody.email } }, { as: admin })
    await change(somebody, { isAdmin: true })
    await change(somebody, { isAdmin: false })
    await t.call('deleteAccount', { body: { email: somebody.email } }, { as: somebody })
    t.later(8 * DAY_MS)
    await purgeAccounts({ features, ...t.deps })
    t.later(-8 * DAY_MS)
    const text = JSON.stringify(await log())
    expect(text).toContain('Former member')
    expect(text).not.toContain(somebody.email)
  })
})

describe('a server with local accounts', () => {
  let server: TestServer
  let chief: { token: string; user: { _id: string } }
  beforeAll(async () => {
    server = await testServer({ registration: 'open' })
    const first = visitor(server.app)
    await first.signUp()
    chief = await first.enter()
  })
  afterAll(() => server.close())

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    server.app.inject({
      method,
      url: `/api/admin${url}`,
      headers: { authorization: `Bearer ${chief.token}` },
      ...(payload && { payload }),
    })

  async function registered() {
    const fields = account()
    const person = visitor(server.app)
    await person.signUp(fields)
    const { token, user } = await person.enter()
    return { fields, person, token, id: user._id }
  }

  it('makes the first account an administrator, and no later one', async () => {
    expect(chief.user).toMatchObject({ isAdmin: true })
    const { person } = await registered()
    expect((await person.enter()).user).not.toHaveProperty('isAdmin')
  })

  it('tells suspended people so only after they have authenticated', async () => {
    const { fields, id, token, person } = await registered()
    await ask('PUT', `/people/${id}`, { isSuspended: true })
    expect(await person.me(token)).toBe(401)
    expect((await person.send('GET', '/api/auth/token')).statusCode).toBe(401)
    const stranger = visitor(server.app)
    const wrong = await stranger.signIn({ email: fields.email, password: 'a guess' })
    expect(wrong.json()).toMatchObject({ code: 'incorrect_password', message: 'Incorrect password' })
    await stranger.signIn(fields)
    const refusal = await stranger.exchange({ idToken: await stranger.idToken() })
    expect([refusal.statusCode, refusal.json<{ code: string }>().code]).toEqual([403, 'account_suspended'])
    await ask('PUT', `/people/${id}`, { isSuspended: false })
    expect(await stranger.me((await stranger.enter()).token)).toBe(200)
  })

  it('lets an administrator create a one-time password reset link, even without mail', async () => {
    const { fields, id, token, person } = await registered()
    const made = await ask('POST', `/people/${id}/reset-link`)
    expect(made.statusCode).toBe(200)
    const { token: link, expiresAt } = made.json<{ token: string; expiresAt: string }>()
    expect(Date.parse(expiresAt) - server.time.now.getTime()).toBe(60 * 60_000)
    const redeem = (password: string) =>
      visitor(server.app).send('POST', '/api/auth/reset-password', { token: link, password })
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => redeem('analytical engine')))
    expect(outcomes.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
    expect(await person.me(token)).toBe(401)
    const again = visitor(server.app)
    expect((await again.signIn({ ...fields, password: 'analytical engine' })).statusCode).toBe(204)
  })

  it('lets an administrator turn two-step sign-in off for a person who lost the app, which ends their sessions', async () => {
    const lost = await secured(server)
    const { _id: id } = lost.user
    const isOn = async () => {
      const found = await ask('GET', `/people?search=${encodeURIComponent(lost.fields.email)}`)
      return found.json<{ people: Account[] }>().people.map(({ hasTwoFactor }) => hasTwoFactor)
    }
    expect(await isOn()).toEqual([true])
    expect((await ask('DELETE', `/people/${id}/two-factor`)).statusCode).toBe(204)
    expect(await isOn()).toEqual([false])
    expect(await lost.browser.me(lost.token)).toBe(401)
    expect((await visitor(server.app).signIn(lost.fields)).statusCode).toBe(204)
    const { events } = (await ask('GET', '/audit-log')).json<{ events: AuditEvent[] }>()
    expect(events.map(({ kind }) => kind)).toContain('two_factor_turned_off')
    expect((await ask('DELETE', `/people/${id}/two-factor`)).statusCode).toBe(409)
  })

  it('does not let an administrator turn it off for another administrator', async () => {
    const { user, browser, token } = await secured(server)
    await ask('PUT', `/people/${user._id}`, { isAdmin: true })
    expect((await ask('DELETE', `/people/${user._id}/two-factor`)).statusCode).toBe(409)
    expect(await browser.me(token)).toBe(200)
    await ask('PUT', `/people/${user._id}`, { isAdmin: false })
  })

  it('does not let an administrator create a reset link for another administrator', async () => {
    const { id } = await registered()
    await ask('PUT', `/people/${id}`, { isAdmin: true })
    expect((await ask('POST', `/people/${id}/reset-link`)).statusCode).toBe(409)
    await ask('PUT', `/people/${id}`, { isAdmin: false })
  })

  it('lets an administrator change a person’s email, which is the only one that then signs in', async () => {
    const [{ fields, id, token, person }, other] = [await registered(), await registered()]
    const email = account().email
    const taken = await ask('PUT', `/people/${id}/email`, { email: other.fields.email.toUpperCase() })
    expect([taken.statusCode, taken.json<{ code: string }>().code]).toEqual([409, 'conflict'])
    expect(await person.me(token)).toBe(200)

    const changed = await ask('PUT', `/people/${id}/email`, { email })
    expect(changed.json()).toMatchObject({ _id: id, email, emailVerified: false })
    expect(await person.me(token)).toBe(401)
    expect((await visitor(server.app).signIn(fields)).statusCode).toBe(401)
    const again = visitor(server.app)
    expect((await again.signIn({ ...fields, email })).statusCode).toBe(204)
    expect((await again.enter()).user).toMatchObject({ _id: id, email })
    const { events } = (await ask('GET', '/audit-log')).json<{ events: AuditEvent[] }>()
    expect(events.map(({ kind }) => kind)).toContain('email_changed')
    expect(JSON.stringify(events)).not.toContain(fields.email)
  })

  it('returns the same response to a repeated email change, and ends no sessions again', {
    tags: ['long'],
  }, async () => {
    const { fields, id } = await registered()
    const email = account().email
    await ask('PUT', `/people/${id}/email`, { email })
    const person = visitor(server.app)
    await person.signIn({ ...fields, email })
    const { token } = await person.enter()
    const repeated = await ask('PUT', `/people/${id}/email`, { email: email.toUpperCase() })
    expect(repeated.json()).toMatchObject({ _id: id, email })
    expect(await person.me(token)).toBe(200)
  })

  it('lets administrators change their own email without being signed out, but not that of another administrator', async () => {
    const { id } = await registered()
    await ask('PUT', `/people/${id}`, { isAdmin: true })
    expect((await ask('PUT', `/people/${id}/email`, { email: account().email })).statusCode).toBe(409)
    await ask('PUT', `/people/${id}`, { isAdmin: false })
    const email = account().email
    const own = await ask('PUT', `/people/${chief.user._id}/email`, { email })
    expect(own.json()).toMatchObject({ email })
    expect((await ask('GET', '')).statusCode).toBe(200)
  })

  it('restores access for a locked-out administrator through the command', { tags: ['long'] }, async () => {
    const { fields, id } = await registered()
    await ask('PUT', `/people/${id}`, { isSuspended: true })
    const { db } = server.deps
    const issuer = 'urn:milepost:local'
    const now = new Date()
    await appointAdministrator(db, { email: fields.email.toUpperCase(), issuer, now })
    const password = await resetPassword(db, fields.email)
    const back = visitor(server.app)
    await back.signIn({ email: fields.email, password })
    expect((await back.enter()).user).toMatchObject({ isAdmin: true })
    await expect(appointAdministrator(db, { email: 'nobody@example.test', issuer, now })).rejects.toThrow(
      'There is no account with the address nobody@example.test',
    )
  })
})
