import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, isCreating } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { connect } from '#server/database/connect.ts'
import { databaseProxy } from '#server/database/testing-proxy.ts'
import { picture } from '#server/files/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'
import { sweepKeys } from './idempotency.ts'

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
const creating: Record<string, { url: () => string; body: object; table: string }> = {
  createProject: {
    url: () => '/api/projects',
    body: { title: 'A canoe', description: 'Strip by strip' },
    table: 'projects',
  },
  createMilestone: {
    url: () => `/api/projects/${projectId}/milestones`,
    body: { title: 'Lumber', description: 'Find straight cedar' },
    table: 'milestones',
  },
  createEntry: {
    url: () => `/api/milestones/${milestoneId}/entries`,
    body: { title: 'First boards', content: 'They smell of **summer**.', tags: ['cedar'] },
    table: 'entries',
  },
  reserveFiles: {
    url: () => `/api/projects/${projectId}/files`,
    body: { files: [{ name: 'boards.jpg', size: 7, type: 'image/jpeg' }] },
    table: 'files',
  },
  inviteCollaborator: {
    url: () => `/api/projects/${projectId}/collaborators`,
    body: { email: 'grace@example.test', role: 'editor' },
    table: 'collaborators',
  },
  inviteToServer: {
    url: () => '/api/admin/invitations',
    body: { email: 'grace@example.test' },
    table: 'server_invitations',
  },
}
const { createMilestone } = creating

const send = (name: string, key: string, { as = owner, body = {}, app = t.app } = {}) =>
  app.inject({
    method: 'POST',
    url: creating[name]?.url() ?? '',
    headers: { ...as.headers, 'idempotency-key': key },
    payload: { ...creating[name]?.body, ...body },
  })

const rowsIn = async (table: string) =>
  Number((await t.pool.query<{ total: number }>(`select count(*) as total from ${table}`)).rows[0]?.total)

describe('a creating call with a key', () => {
  it('is every call that returns 201, as documented in OpenAPI', async () => {
    const names = Object.entries<Call>(calls).filter(([, call]) => isCreating(call))
    expect(Object.keys(creating).toSorted()).toEqual(names.map(([name]) => name).toSorted())
    const { paths } = (await t.app.inject('/api/openapi.json')).json()
    for (const [, { path }] of names)
      expect(paths[path.replaceAll(/:(\w+)/g, '{$1}')].post.parameters).toContainEqual(
        expect.objectContaining({ in: 'header', name: 'idempotency-key', required: false }),
      )
  })

  it.each(Object.keys(creating))(
    'creates one row and returns the same response when %s is repeated',
    async (name) => {
      const table = creating[name]?.table ?? ''
      const before = await rowsIn(table)
      const first = await send(name, 'a-key')
      const second = await send(name, 'a-key')
      expect([first.statusCode, second.statusCode]).toEqual([201, 201])
      expect(second.body).toBe(first.body)
      expect(await rowsIn(table)).toBe(before + 1)
    },
  )

  it.each(Object.keys(creating))('creates one row when %s is sent concurrently', async (name) => {
    const table = creating[name]?.table ?? ''
    const before = await rowsIn(table)
    const body = name.startsWith('invite') ? { email: 'ada@example.test' } : {}
    const twins = await Promise.all([1, 2, 3, 4].map(() => send(name, 'twins', { body })))
    expect(twins.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(new Set(twins.map((twin) => twin.body)).size).toBe(1)
    expect(await rowsIn(table)).toBe(before + 1)
  })

  it('creates one row if the COMMIT or the response to it was lost', async () => {
    const proxy = await databaseProxy(t.config)
    const connection = connect(proxy.config, pino({ level: 'silent' }))
    const app = await t.replica({ db: connection.db })
    const before = await rowsIn('milestones')
    for (const fault of ['lost-answer', 'lost-commit'] as const) {
      proxy.fault(fault)
      expect((await send('createMilestone', `${fault}:key`, { app })).json()).toMatchObject({
        code: 'outcome_unknown',
      })
      expect((await send('createMilestone', `${fault}:key`, { app })).statusCode).toBe(201)
    }
    expect(await rowsIn('milestones')).toBe(before + 2)
    await app.close()
    await connection.close()
    await proxy.close()
  })

  it('is refused with the key of a request that differs in any part', async () => {
    const url = creating.createEntry?.url() ?? ''
    const form = async (fields: Record<string, string>, width: number) => {
      const image = { bytes: await picture(width, 8).png().toBuffer() }
      return sendForm(t.app, { url, as: owner, headers: { 'idempotency-key': 'form' }, fields, image })
    }
    const fields = { title: 'With a picture', content: 'x' }
    const first = await form(fields, 16)
    const refused = [await form({ ...fields, title: 'Another' }, 16), await form(fields, 17)]
    expect((await form(fields, 16)).body).toBe(first.body)
    for (const { statusCode, body } of refused) {
      expect([statusCode, JSON.parse(body)]).toEqual([
        422,
        {
          code: 'key_reused',
          message:
            'This Idempotency-Key was sent with another request before. Use a new one for each new request.',
        },
      ])
    }
  })

  it('does not store an error, so that a retry may succeed', async () => {
    const tooLong = await send('createMilestone', 'mended', { body: { title: 'x'.repeat(201) } })
    expect(tooLong.statusCode).toBe(400)
    expect((await send('createMilestone', 'mended')).statusCode).toBe(201)
  })

  it('shares no key with another person or call, and returns nothing after access was revoked', async () => {
    const editor = await t.member(projectId, 'editor')
    const before = await rowsIn('milestones')
    const mine = await send('createMilestone', 'shared')
    const theirs = await send('createMilestone', 'shared', { as: editor })
    expect((await send('createProject', 'shared')).statusCode).toBe(201)
    expect(theirs.json()._id).not.toBe(mine.json()._id)
    expect(await rowsIn('milestones')).toBe(before + 2)
    await t.pool.query('delete from collaborators where user_id = $1', [editor.userId])
    expect((await send('createMilestone', 'shared', { as: editor })).statusCode).toBe(404)
  })

  it.each(['', ' ', 'x'.repeat(101), 'a, b', 'ключ', '"quoted"', '<script>'])(
    'is refused with the malformed key %j',
    async (key) => {
      const headers = {
        ...owner.headers,
        'idempotency-key': encodeURI(key) === key ? key : Buffer.from(key).toString('latin1'),
      }
      const payload = createMilestone?.body ?? {}
      const answer = await t.app.inject({
        method: 'POST',
        url: createMilestone?.url() ?? '',
        headers,
        payload,
      })
      expect([answer.statusCode, answer.json().message]).toEqual([
        400,
        'The Idempotency-Key header must have 1 to 100 letters, digits or characters of . _ ~ + / = : -',
      ])
    },
  )

  it('stores invitation tokens only encrypted', async () => {
    const invited = await send('inviteCollaborator', 'secret', { body: { email: 'lin@example.test' } })
    const { inviteToken } = invited.json<{ inviteToken: string }>()
    const { rows } = await t.pool.query<{ answer: Buffer }>('select answer from idempotency_keys')
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ answer }) => answer.includes(inviteToken))).toBe(false)
  })
})

describe('the sweep', () => {
  const DAY = 24 * 60 * 60_000

  it('keeps the keys of one day, and only the newest of each account', async () => {
    const [busy, other] = [await t.person(), await t.person()]
    for (const key of ['first', 'second', 'third']) await send('createProject', key, { as: busy })
    await send('createProject', 'only', { as: other })
    const keysOf = async ({ userId }: Person) => {
      const { rows } = await t.pool.query<{ key: string }>(
        'select key from idempotency_keys where user_id = $1 order by created_at',
        [userId],
      )
      return rows.map(({ key }) => key)
    }
    await sweepKeys(t.deps.db, new Date(Date.now() + DAY - 60_000), 2)
    expect([await keysOf(busy), await keysOf(other)]).toEqual([['second', 'third'], ['only']])
    await sweepKeys(t.deps.db, new Date(Date.now() + DAY + 60_000), 2)
    expect(await rowsIn('idempotency_keys')).toBe(0)
  })
})
