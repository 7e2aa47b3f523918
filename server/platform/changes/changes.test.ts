import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { type Call, isChanging, isCreating } from '#contract/parts/call.ts'
import { connect } from '#server/database/connect.ts'
import { databaseProxy } from '#server/database/testing-proxy.ts'
import { picture } from '#server/files/testing.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import { defaultQuotas } from '#server/quotas/settings.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'
import { derivedId } from './changes.ts'
import { sweepChanges } from './sweep.ts'

let t: TestApp
let owner: Person
let projectId: string
let milestoneId: string
beforeAll(async () => {
  t = await testApp({}, { entryImages: true })
  owner = await t.person()
  await t.pool.query('update users set is_admin = true where id = $1', [owner.userId])
  projectId = (await t.project(owner))._id
  milestoneId = (await t.milestone(owner, projectId))._id
})
afterAll(() => t.close())

/** The request of each creating call, and the table of the row that it creates. */
const creating: Record<string, { url: () => string; body: (id?: string) => object; table: string }> = {
  createProject: {
    url: () => '/api/projects',
    body: (_id) => ({ title: 'A canoe', description: 'Strip by strip', _id }),
    table: 'projects',
  },
  createMilestone: {
    url: () => `/api/projects/${projectId}/milestones`,
    body: (_id) => ({ title: 'Lumber', description: 'Find straight cedar', _id }),
    table: 'milestones',
  },
  createEntry: {
    url: () => `/api/milestones/${milestoneId}/entries`,
    body: (_id) => ({ title: 'First boards', content: 'They smell of **summer**.', _id }),
    table: 'entries',
  },
  reserveFiles: {
    url: () => `/api/projects/${projectId}/files`,
    body: (_id) => ({ files: [{ name: 'boards.jpg', size: 7, type: 'image/jpeg', _id }] }),
    table: 'files',
  },
  inviteCollaborator: {
    url: () => `/api/projects/${projectId}/collaborators`,
    body: (_id) => ({ email: `${randomUUID()}@example.test`, role: 'editor', _id }),
    table: 'collaborators',
  },
  inviteToServer: {
    url: () => '/api/admin/invitations',
    body: (_id) => ({ email: `${randomUUID()}@example.test`, _id }),
    table: 'server_invitations',
  },
  createShareLink: {
    url: () => `/api/projects/${projectId}/links`,
    body: (_id) => ({ name: 'Grandma', _id }),
    table: 'share_links',
  },
  createWebhook: {
    url: () => `/api/projects/${projectId}/webhooks`,
    body: (_id) => ({ url: 'https://example.org/hook', _id }),
    table: 'webhooks',
  },
  createAccessToken: {
    url: () => '/api/account/tokens',
    body: (_id) => ({ name: 'A program', scopes: ['read'], days: null, _id }),
    table: 'access_tokens',
  },
}

/** The calls whose secret only the first response has. */
const SECRET = new Set(['createWebhook', 'createAccessToken', 'createShareLink'])

type Sending = { as?: Person; key?: string; app?: TestApp['app']; headers?: Record<string, string> }

const send = (
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload: object | undefined,
  { as = owner, key, app = t.app, headers = {} }: Sending = {},
) =>
  app.inject({
    method,
    url,
    headers: { ...as.headers, ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
    ...(payload && { payload }),
  })

const urlOf = (name: string) => creating[name]?.url() ?? ''
const bodyOf = (name: string, id?: string) => creating[name]?.body(id) ?? {}

const create = (name: string, id?: string, sending?: Sending) =>
  send('POST', urlOf(name), bodyOf(name, id), sending)

const rowsIn = async (name: string) => {
  const { rows } = await t.pool.query<{ total: string }>(
    `select count(*) as total from ${creating[name]?.table}`,
  )
  return Number(rows[0]?.total)
}

const taken = {
  code: 'id_taken',
  message: 'Something else has this _id already, or had it. Choose a new one.',
}

describe('a creating call', () => {
  it('is every call that takes an id, as documented in OpenAPI', async () => {
    const all = Object.entries<Call>(calls)
    expect(Object.keys(creating).toSorted()).toEqual(
      all
        .filter(([, call]) => isCreating(call))
        .map(([name]) => name)
        .toSorted(),
    )
    const { paths } = (await t.app.inject('/api/openapi.json')).json()
    for (const [, { path, method }] of all.filter(([, call]) => isChanging(call)))
      expect(paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()].parameters).toContainEqual(
        expect.objectContaining({ in: 'header', name: 'idempotency-key', required: false }),
      )
  })

  it.each(Object.keys(creating))('creates one row if %s is sent four times at once', async (name) => {
    const before = await rowsIn(name)
    const [key, url, body] = [randomUUID(), urlOf(name), bodyOf(name, randomUUID())]
    const four = await Promise.all([1, 2, 3, 4].map(() => send('POST', url, body, { key })))
    expect(four.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([
      200, 200, 200, 201,
    ])
    const again = four.filter(({ headers }) => headers['change-applied'] !== undefined)
    expect(again.map(({ headers }) => headers['change-applied'])).toEqual(['true', 'true', 'true'])
    expect(await rowsIn(name)).toBe(before + 1)
    const shown = four.filter((one) => ['secret', 'token', 'url'].some((secret) => secret in one.json()))
    expect(SECRET.has(name) ? shown.length : 1).toBe(1)
    expect(again.map((one) => one.json().secretShown ?? true)).toEqual(again.map(() => !SECRET.has(name)))
  })

  it.each(Object.keys(creating))('creates one row if %s is repeated under an old key alone', async (name) => {
    const before = await rowsIn(name)
    const [key, url, body] = [randomUUID().replaceAll('-', ''), urlOf(name), bodyOf(name)]
    const first = await send('POST', url, body, { key })
    const second = await send('POST', url, body, { key })
    expect([first.statusCode, second.statusCode]).toEqual([201, 200])
    expect(await rowsIn(name)).toBe(before + 1)
    // Who was notified is known only at first.
    const whole = first.json()
    delete whole.recipients
    const { secret: _secret, token: _token, url: _url, ...left } = whole
    expect(second.json()).toEqual(SECRET.has(name) ? { ...left, secretShown: false } : whole)
  })

  it.each(Object.keys(creating))('tells a stranger who sends the id of %s nothing', async (name) => {
    const stranger = await t.person()
    const id = randomUUID()
    await create(name, id)
    const refused = await create('createProject', id, { as: stranger })
    expect([refused.statusCode, refused.json()]).toEqual([409, taken])
  })

  it('says that another text is in what has its id', async () => {
    const id = randomUUID()
    await create('createEntry', id, { key: randomUUID() })
    const other = { ...bodyOf('createEntry', id), content: 'Another device' }
    for (const key of [randomUUID(), undefined]) {
      const answer = await send('POST', urlOf('createEntry'), other, key === undefined ? {} : { key })
      expect([answer.statusCode, answer.headers['change-applied']]).toEqual([200, 'false'])
      expect(answer.json()).toMatchObject({ _id: id, content: 'They smell of **summer**.' })
    }
  })

  it.each([
    '0199DEAD-DEAD-7EAD-8EAD-DEADDEADDEAD',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '0199dead',
    '',
    7,
    null,
  ])('is refused with the id %j', async (_id) => {
    const body = { ...bodyOf('createProject'), _id }
    const answer = await send('POST', '/api/projects', body)
    expect([answer.statusCode, answer.json().issues[0].path]).toEqual([400, '_id'])
  })

  it('is refused with the id of another kind, of something in the trash, and of something removed', async () => {
    const entry = randomUUID()
    await create('createEntry', entry)
    expect((await create('createMilestone', entry)).json()).toEqual(taken)
    expect((await create('createEntry', milestoneId)).json()).toEqual(taken)
    const deletion = randomUUID()
    await send('DELETE', `${urlOf('createEntry')}/${entry}`, undefined, { key: deletion })
    expect((await create('createEntry', entry)).json()).toEqual(taken)
    await send('DELETE', `/api/trash/${deletion}`, undefined)
    expect((await create('createEntry', entry)).json()).toEqual(taken)
  })

  it('returns what was moved meanwhile, and nothing of a project that the caller no longer sees', async () => {
    const other = await t.project(owner)
    const editor = await t.member(projectId, 'editor')
    const id = randomUUID()
    const key = randomUUID()
    await create('createEntry', id, { as: editor, key })
    const { _id: milestone } = await t.milestone(owner, other._id)
    await send('PUT', `${urlOf('createEntry')}/${id}`, { milestone })
    expect((await create('createEntry', id, { as: editor, key })).json()).toEqual(taken)
    await t.pool.query('update collaborators set project_id = $1 where user_id = $2', [
      other._id,
      editor.userId,
    ])
    expect((await create('createEntry', id, { as: editor, key })).statusCode).toBe(404)
  })

  it('with an image finds the first attempt before it inspects or stores the image', async () => {
    const image = { bytes: await picture(16, 8).png().toBuffer() }
    const fields = { title: 'With a picture', content: 'x', _id: randomUUID() }
    const headers = { 'idempotency-key': randomUUID() }
    const first = await sendForm(t.app, { url: urlOf('createEntry'), as: owner, headers, fields, image })
    const kept = await t.kept()
    const broken = { bytes: Buffer.from('no picture') }
    const second = await sendForm(t.app, {
      url: urlOf('createEntry'),
      as: owner,
      headers,
      fields,
      image: broken,
    })
    expect([first.statusCode, second.statusCode]).toEqual([201, 200])
    expect(await t.kept()).toEqual(kept)
  })

  it('creates one row if the COMMIT or the response to it was lost', async () => {
    const proxy = await databaseProxy(t.config)
    const connection = connect(proxy.config, pino({ level: 'silent' }))
    const app = await t.replica({ db: connection.db })
    const before = await rowsIn('createMilestone')
    for (const [fault, status] of [
      ['lost-answer', 200],
      ['lost-commit', 201],
    ] as const) {
      const [id, key] = [randomUUID(), randomUUID()]
      proxy.fault(fault)
      expect((await create('createMilestone', id, { key, app })).json().code).toBe('outcome_unknown')
      expect((await create('createMilestone', id, { key, app })).statusCode).toBe(status)
    }
    expect(await rowsIn('createMilestone')).toBe(before + 2)
    await app.close()
    await connection.close()
    await proxy.close()
  })

  it('does not remember a refusal', async () => {
    const [key, _id] = [randomUUID(), randomUUID()]
    const tooLong = { ...bodyOf('createMilestone', _id), title: 'x'.repeat(201) }
    expect((await send('POST', urlOf('createMilestone'), tooLong, { key })).statusCode).toBe(400)
    expect((await create('createMilestone', _id, { key })).statusCode).toBe(201)
  })

  it.each(['', ' ', 'x'.repeat(101), 'a, b', '"quoted"'])('is refused with the key %j', async (key) => {
    expect((await create('createMilestone', undefined, { key })).statusCode).toBe(400)
  })
})

describe('a limit', () => {
  it('of the quota does not refuse a repetition of what has filled it', async () => {
    const quotas = createQuotas({ ...defaultQuotas, accountQuota: 3_000, clock: t.deps.clock })
    const app = await t.replica({ quotas })
    const full = await t.person()
    const { _id: own } = await t.project(full)
    const { _id: milestone } = await t.milestone(full, own)
    const url = `/api/milestones/${milestone}/entries`
    const body = { title: 'Full', content: 'x'.repeat(2_900), _id: randomUUID() }
    const [created, changed] = [
      { as: full, key: randomUUID(), app },
      { as: full, key: randomUUID(), app },
    ]
    expect((await send('POST', url, body, created)).statusCode).toBe(201)
    expect((await send('POST', url, { ...body, _id: randomUUID() }, { as: full, app })).statusCode).toBe(413)
    expect((await send('POST', url, body, created)).statusCode).toBe(200)
    const change = { content: 'y'.repeat(2_905) }
    expect((await send('PUT', `${url}/${body._id}`, change, changed)).statusCode).toBe(200)
    expect((await send('PUT', `${url}/${body._id}`, change, changed)).json()).toMatchObject({ version: 2 })
    await app.close()
  })

  it('of webhooks and of waiting files does not refuse a repetition', async () => {
    const full = await t.person()
    const { _id: own } = await t.project(full)
    const url = `/api/projects/${own}/webhooks`
    const ids = Array.from({ length: 10 }, () => randomUUID())
    for (const _id of ids) await send('POST', url, { url: 'https://example.org/a', _id }, { as: full })
    const again = { url: 'https://example.org/a', _id: ids[3] }
    expect((await send('POST', url, { url: 'https://example.org/a' }, { as: full })).statusCode).toBe(409)
    expect((await send('POST', url, again, { as: full })).json()).toMatchObject({ secretShown: false })
    const files = Array.from({ length: 100 }, (_, n) => ({ name: `${n}.txt`, size: 1, _id: randomUUID() }))
    const reserve = () => send('POST', `/api/projects/${own}/files`, { files }, { as: full })
    for (let time = 0; time < 11; time += 1) expect((await reserve()).statusCode).toBe(time === 0 ? 201 : 200)
  })
})

describe('a change', () => {
  const kinds = {
    project: async () => ({ url: `/api/projects/${(await t.project(owner))._id}` }),
    milestone: async () => ({
      url: `/api/projects/${projectId}/milestones/${(await t.milestone(owner, projectId))._id}`,
    }),
    entry: async () => ({
      url: `/api/milestones/${milestoneId}/entries/${(await t.entry(owner, milestoneId))._id}`,
    }),
  }

  it.each(Object.entries(kinds))('of a %s is made once, whatever was changed since', async (_, make) => {
    const { url } = await make()
    const key = randomUUID()
    const base = { 'if-match': '"1"' }
    const change = (title: string, sending: Sending) =>
      send('PUT', url, { title }, { headers: base, ...sending })
    const four = await Promise.all([1, 2, 3, 4].map(() => change('Mine', { key })))
    expect(four.map((one) => [one.statusCode, one.json().version])).toEqual([1, 2, 3, 4].map(() => [200, 2]))
    for (let time = 0; time < 7; time += 1)
      await send('PUT', url, { title: `Theirs ${time}` }, { key: randomUUID() })
    expect((await change('Mine', { key })).json()).toMatchObject({ title: 'Theirs 6', version: 9 })
    expect((await change('Mine', { key: randomUUID() })).statusCode).toBe(412)
  })

  it.each(Object.entries(kinds))('that deletes a %s is its deletion', async (_, make) => {
    const { url } = await make()
    const [key, stranger] = [randomUUID(), await t.person()]
    const remove = (as = owner) => send('DELETE', url, undefined, { key, as })
    const restore = (as = owner) => send('POST', `/api/trash/${key}/restore`, {}, { as })
    const four = await Promise.all([1, 2, 3, 4].map(() => remove()))
    for (const one of four) expect([one.statusCode, one.headers['deletion-id']]).toEqual([204, key])
    expect((await remove(stranger)).statusCode).toBe(404)
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => restore()))
    expect(first?.statusCode).toBe(200)
    for (const other of others) expect(other.json()).toEqual(first?.json())
    expect((await restore(stranger)).statusCode).toBe(404)
    expect((await remove()).statusCode).toBe(204)
    expect((await t.app.inject({ url, headers: owner.headers })).statusCode).not.toBe(404)
  })

  it('that moves an entry is found where the entry is', async () => {
    const { url } = await kinds.entry()
    const { _id: milestone } = await t.milestone(owner, projectId)
    const key = randomUUID()
    const move = (at: string) => send('PUT', at, { milestone }, { key, headers: { 'if-match': '"1"' } })
    expect((await move(url)).statusCode).toBe(200)
    expect((await move(url)).statusCode).toBe(404)
    const id = url.split('/').at(-1)
    const found = (await t.app.inject({ url: `/api/entries/${id}`, headers: owner.headers })).json()
    expect(found.milestone).toBe(milestone)
    expect((await move(`/api/milestones/${milestone}/entries/${id}`)).json()).toMatchObject({ version: 2 })
  })

  it('that leaves a project or declines an invitation is done once', async () => {
    const [leaver, invited] = [await t.member(projectId, 'editor'), await t.person()]
    const leave = () =>
      send('DELETE', `/api/projects/${projectId}/collaborators/me`, undefined, {
        as: leaver,
        key: randomUUID(),
      })
    expect([(await leave()).statusCode, (await leave()).statusCode]).toEqual([204, 204])
    const { inviteToken } = await t.invitation(owner, projectId, { email: invited.email })
    const key = randomUUID()
    const decline = (as: Person) =>
      send('POST', `/api/collaborators/decline/${inviteToken}`, undefined, { as, key })
    expect([(await decline(invited)).statusCode, (await decline(invited)).statusCode]).toEqual([204, 204])
    expect((await decline(owner)).statusCode).toBe(404)
  })
})

it('derives the same UUIDv8 from the same words', () => {
  expect(derivedId('a', 'b')).toBe(derivedId('a', 'b'))
  expect(derivedId('a', 'b')).not.toBe(derivedId('ab', ''))
  expect(derivedId('a')).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

it('the sweep keeps removed ids and restorations for 400 days', async () => {
  const DAY = 24 * 60 * 60_000
  const count = async () => Number((await t.pool.query('select count(*) from removed_ids')).rows[0].count)
  await t.pool.query('insert into removed_ids (id) values (gen_random_uuid())')
  const before = await count()
  await sweepChanges(t.deps.db, new Date(Date.now() + 399 * DAY))
  expect(await count()).toBe(before)
  await sweepChanges(t.deps.db, new Date(Date.now() + 401 * DAY))
  expect(await count()).toBe(0)
})
