import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { calls } from '#contract/calls.ts'
import type { Event } from '#contract/events.ts'
import { EVENTS_PATH } from '#contract/events-path.ts'
import type { Call } from '#contract/parts/call.ts'
import { readEvents } from '#server/events/testing.ts'
import { account, visitor } from '#server/identity/local/testing.ts'
import { createLogger } from '#server/platform/log/logger.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { createClient, type Sender } from '#server/testing/client.ts'
import { mailingTestServer } from '#server/testing/local-server.ts'
import { TOKEN_REQUESTS_PER_MINUTE } from './authenticate.ts'

const DAY_MS = 24 * 60 * 60_000

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => t.close())

const tokenOf = ({ headers }: Sender) => headers.authorization?.slice('Bearer '.length) ?? ''

const statusFor = async (sender: Sender, url = '/api/projects') =>
  (await t.app.inject({ url, headers: sender.headers })).statusCode

describe('an access token', () => {
  it('is shown once, has a checksum, and is stored as a hash', async () => {
    const ada = await t.person()
    const body = { name: 'Nightly', scopes: ['write', 'read'] as const, days: 30 as const }
    const { token = '', accessToken } = await t.call(
      'createAccessToken',
      { body: { ...body, scopes: [...body.scopes] } },
      { as: ada },
    )
    expect(token).toMatch(/^mp_[0-9a-f]{56}$/)
    expect(accessToken).toMatchObject({ name: 'Nightly', scopes: ['read', 'write'], projects: null })
    expect(await t.call('listAccessTokens', {}, { as: ada })).toEqual([accessToken])
    const { rows } = await sql<{ text: string }>`select t::text from access_tokens t`.execute(t.deps.db)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'))
    const mistyped = token.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
    for (const wrong of [mistyped, 'mp_', `mp_${'0'.repeat(56)}`]) {
      const refusal = await t.refused('listProjects', {}, { headers: { authorization: `Bearer ${wrong}` } })
      expect([refusal.status, refusal.code]).toEqual([401, 'not_signed_in'])
    }
  })

  it('is not accepted in a URL', async () => {
    const program = await t.program(await t.person())
    expect(await statusFor({ headers: {} }, `/api/projects?access_token=${tokenOf(program)}`)).toBe(401)
  })

  it('can neither create nor list tokens, nor access its owner’s account', async () => {
    const program = await t.program(await t.person())
    for (const name of ['listAccessTokens', 'readAccount', 'listSessions', 'signOut', 'listPeople'] as const)
      expect(await t.refused(name, {}, { as: program })).toMatchObject({
        code: 'insufficient_scope',
        message: 'Access tokens cannot do this: sign in to do it yourself',
      })
  })

  it('expires', async () => {
    const program = await t.program(await t.person(), { days: 30 })
    const lasting = await t.program(await t.person())
    t.later(30 * DAY_MS - 1_000)
    expect(await statusFor(program)).toBe(200)
    t.later(1_000)
    expect([await statusFor(program), await statusFor(lasting)]).toEqual([401, 200])
    t.later(-30 * DAY_MS)
  })

  it('records its last use, at most once a minute', async () => {
    const ada = await t.person()
    const program = await t.program(ada)
    const lastUse = async () => (await t.call('listAccessTokens', {}, { as: ada }))[0]?.lastUsedAt ?? null
    expect(await lastUse()).toBeNull()
    await statusFor(program)
    const first = await lastUse()
    expect(first).not.toBeNull()
    t.later(30_000)
    await statusFor(program)
    expect(await lastUse()).toBe(first)
    t.later(31_000)
    await statusFor(program)
    expect(await lastUse()).not.toBe(first)
    t.later(-61_000)
  })

  it('is limited to fifty per person', { tags: ['long'] }, async () => {
    const ada = await t.person()
    const body = { name: 'x', scopes: ['read' as const], days: null }
    for (let made = 0; made < 50; made += 1) await t.call('createAccessToken', { body }, { as: ada })
    expect(await t.refused('createAccessToken', { body }, { as: ada })).toMatchObject({ code: 'conflict' })
  })

  it('does not appear in the log', async () => {
    const lines: string[] = []
    const log = createLogger('trace', { write: (line: string) => void lines.push(line) })
    const program = await t.program(await t.person())
    const logged = await t.replica({ log })
    await logged.inject({ url: '/api/projects', headers: program.headers })
    await logged.inject({ url: `/api/projects?token=${tokenOf(program)}`, headers: program.headers })
    await logged.close()
    expect(lines.length).toBeGreaterThanOrEqual(2)
    expect(lines.join('')).not.toContain(tokenOf(program).slice(3))
  })
})

describe('a token that is limited to certain projects', () => {
  async function limited() {
    const owner = await t.person()
    const inside = await t.project(owner)
    const outside = await t.project(owner)
    const program = await t.program(owner, { projects: [inside._id] })
    return { owner, inside, outside, program }
  }

  it('gets the same responses for other projects as a stranger', async () => {
    const { owner, inside, outside, program } = await limited()
    const stranger = await t.person()
    const milestone = await t.milestone(owner, outside._id)
    const entry = await t.entry(owner, milestone._id)
    const params = { projectId: outside._id, milestoneId: milestone._id, entryId: entry._id }
    const body = { title: 'x', description: 'y', content: 'z', files: [{ name: 'a', size: 1 }] }
    for (const name of [
      'readProject',
      'updateProject',
      'deleteProject',
      'listMilestones',
      'createMilestone',
      'listEntries',
      'readEntry',
      'locateEntry',
      'createEntry',
      'updateEntry',
      'listRevisions',
      'listActivity',
      'listCollaborators',
      'reserveFiles',
    ] as const) {
      const seen = await t.refused(name, { params, body }, { as: program })
      expect([name, seen]).toEqual([name, await t.refused(name, { params, body }, { as: stranger })])
    }
    expect(await t.call('readPermissions', { params }, { as: program })).toMatchObject({ role: null })
    const listed = await t.call('listProjects', {}, { as: program })
    expect(listed.map(({ _id }) => _id)).toEqual([inside._id])
    expect((await t.milestone(program as Person, inside._id)).project).toBe(inside._id)
  })

  it('cannot move an entry to another project, nor create a project', async () => {
    const { owner, inside, outside, program } = await limited()
    const [from, to] = [await t.milestone(owner, inside._id), await t.milestone(owner, outside._id)]
    const entry = await t.entry(owner, from._id)
    const params = { milestoneId: from._id, entryId: entry._id }
    const moved = await t.refused('updateEntry', { params, body: { milestone: to._id } }, { as: program })
    expect(moved.code).toBe('not_found')
    const body = { title: 'x', description: 'y' }
    expect((await t.refused('createProject', { body }, { as: program })).code).toBe('insufficient_scope')
  })

  it('sees nothing more by repeating a call of another token of its owner under the same key', async () => {
    const { owner, inside, outside, program } = await limited()
    const send = (sender: Sender, projectId: string, key: string) =>
      t.app.inject({
        method: 'POST',
        url: `/api/projects/${projectId}/milestones`,
        headers: { ...sender.headers, 'idempotency-key': key },
        payload: { title: 'x', description: 'y' },
      })
    const other = await t.program(owner)
    await send(other, outside._id, 'elsewhere')
    const elsewhere = await send(program, inside._id, 'elsewhere')
    expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([409, 'id_taken'])
    await send(other, inside._id, 'here')
    expect((await send(program, inside._id, 'here')).statusCode).toBe(200)
  })

  it('lists only its own projects among its owner’s collaborations, and no invitation links', async () => {
    const bo = await t.person()
    const [one, two] = [await t.project(await t.person()), await t.project(await t.person())]
    for (const { _id: project_id } of [one, two])
      await sql`
        insert into collaborators (id, project_id, email, role, status, user_id, joined_at, created_at, updated_at)
        values (gen_random_uuid(), ${project_id}, ${bo.email}, 'editor', 'accepted', ${bo.userId}, now(), now(), now())`.execute(
        t.deps.db,
      )
    const program = await t.program(bo, { projects: [two._id] })
    const mine = await t.call('listMyCollaborations', { query: { status: 'all' } }, { as: program })
    expect(mine.collaborations.map(({ project }) => project._id)).toEqual([two._id])
    const inviter = await t.person()
    await t.invitation(inviter, (await t.project(inviter))._id, { email: bo.email })
    const unlimited = await t.program(bo)
    const all = await t.call('listMyCollaborations', { query: { status: 'all' } }, { as: unlimited })
    expect(all.collaborations.filter(({ inviteToken }) => inviteToken !== undefined)).toEqual([])
  })

  it('cannot be limited to a project of which its owner is not a member', async () => {
    const { outside } = await limited()
    const body = { name: 'x', scopes: ['read'], days: null, projects: [outside._id] }
    expect(await t.refused('createAccessToken', { body }, { as: await t.person() })).toMatchObject({
      issues: [{ path: 'projects' }],
    })
  })
})

describe('publishing requires the scope publish', () => {
  it('for creating or publishing an entry, moving one, and making a project readable to others', async () => {
    const owner = await t.person()
    const project = await t.project(owner)
    const milestone = await t.milestone(owner, project._id)
    const writer = await t.program(owner, { scopes: ['read', 'write', 'manage'] })
    const body = { title: 'x', content: 'z', state: 'draft' as const }
    const params = { milestoneId: milestone._id }
    const draft = await t.call('createEntry', { params, body }, { as: writer })
    const entry = { ...params, entryId: draft._id }
    await t.call('updateEntry', { params: entry, body: { content: 'better' } }, { as: writer })
    for (const [name, input] of [
      ['createEntry', { params, body: { title: 'x', content: 'z' } }],
      ['updateEntry', { params: entry, body: { state: 'published' } }],
      ['updateEntry', { params: entry, body: { milestone: milestone._id } }],
      [
        'moveEntries',
        { params: { projectId: project._id }, body: { entries: [draft._id], milestone: milestone._id } },
      ],
      ['updateProject', { params: { projectId: project._id }, body: { isPublic: true } }],
      ['updateProject', { params: { projectId: project._id }, body: { visibility: 'unlisted' } }],
      ['createProject', { body: { title: 'x', description: 'y', isPublic: true } }],
    ] as const)
      expect(await t.refused(name, input, { as: writer })).toMatchObject({
        code: 'insufficient_scope',
        message: 'This access token lacks the scope “publish”',
      })
    const publisher = await t.program(owner, { scopes: ['write', 'publish'] })
    await t.call('updateEntry', { params: entry, body: { state: 'published' } }, { as: publisher })
  })
})

describe('a token without the scope “publish”', () => {
  /** A project with a milestone, a published entry and a draft, and a program that may do everything but publish. */
  async function journal(visibility: 'public' | 'unlisted' | 'private') {
    const owner = await t.person()
    const project = await t.project(owner, { visibility })
    const milestone = await t.milestone(owner, project._id)
    const entry = await t.entry(owner, milestone._id, { tags: ['oak'] })
    const draft = await t.entry(owner, milestone._id, { state: 'draft' })
    const ids = { projectId: project._id, milestoneId: milestone._id }
    const many = await t.entry(owner, milestone._id, { tags: ['pine'] })
    const renaming = { params: { ...ids, tag: 'pine' }, body: { name: 'fir' } }
    const { undo } = await t.call('renameTag', renaming, { as: owner })
    return {
      ids,
      draft: { ...ids, entryId: draft._id },
      entry: { ...ids, entryId: entry._id },
      writer: await t.program(owner, { scopes: ['read', 'write', 'manage'] }),
      changes: [
        ['createMilestone', { params: ids, body: { title: 'x', description: 'y' } }],
        ['updateMilestone', { params: ids, body: { completed: true } }],
        ['moveMilestone', { params: ids, body: { after: null } }],
        ['updateEntry', { params: { ...ids, entryId: entry._id }, body: { content: 'changed' } }],
        ['updateProject', { params: ids, body: { title: 'changed' } }],
        ['renameTag', { params: { ...ids, tag: 'oak' }, body: { name: 'ash' } }],
        ['undoBulkChange', { params: { ...ids, bulkChangeId: undo ?? '' } }],
        ['deleteEntries', { params: ids, body: { entries: [many._id] } }],
        ['changeAddress', { params: ids, body: { slug: 'a-canoe' } }],
        ['changeReaders', { params: ids, body: { emails: false } }],
        ['deleteEntry', { params: { ...ids, entryId: entry._id } }],
        ['deleteMilestone', { params: ids }],
        ['deleteProject', { params: ids }],
      ] as const,
    }
  }

  it.each(['public', 'unlisted'] as const)(
    'changes nothing that visitors of a %s project see',
    async (visibility) => {
      const { writer, changes, draft, ids } = await journal(visibility)
      for (const [name, input] of changes)
        expect(await t.refused(name, input, { as: writer })).toMatchObject({
          code: 'insufficient_scope',
          message: expect.stringContaining('This project is public'),
        })
      await t.call('updateEntry', { params: draft, body: { content: 'changed' } }, { as: writer })
      const body = { title: 'x', content: 'z', state: 'draft' as const }
      await t.call('createEntry', { params: ids, body }, { as: writer })
      await t.call('deleteEntry', { params: draft }, { as: writer })
    },
  )

  it('changes milestones and published entries of a private project', async () => {
    const { writer, changes } = await journal('private')
    for (const [name, input] of changes) await t.call(name, input, { as: writer })
    expect(await t.call('listProjects', {}, { as: writer })).toEqual([])
  })

  it('is needed by each call that writes what others may see: all but these', () => {
    const writing = Object.entries<Call>(calls).filter(
      ([, { method, scope }]) => method !== 'GET' && (scope === 'write' || scope === 'manage'),
    )
    const unseen = writing.flatMap(([name, { publishes, changesPublic }]) =>
      publishes || changesPublic ? [] : name,
    )
    expect(unseen.toSorted()).toEqual([
      'createImport',
      'deleteFile',
      'deleteImport',
      'deleteWebhook',
      'inviteCollaborator',
      'nameRevision',
      'removeCollaborator',
      'reserveFiles',
      'revokeShareLink',
      'sendImportPart',
      'switchWebhook',
      'testWebhook',
      'updateCollaborator',
      'uploadFile',
    ])
  })

  it('is named by the description of each call that may need it', async () => {
    const { changes } = await journal('private')
    const { paths } = (await t.app.inject('/api/openapi.json')).json()
    const described = Object.values<Record<string, { operationId: string; description?: string }>>(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ description }) => description?.includes('In a public project it needs `publish` too'))
    expect(described).toHaveLength(changes.length + 1)
  })
})

describe('a token without the scope “manage”', () => {
  it('never reads the address of another member or of an invited person', async () => {
    const owner = await t.person()
    const project = await t.project(owner)
    const milestone = await t.milestone(owner, project._id)
    const entry = await t.entry(owner, milestone._id)
    const { email: memberAddress } = await t.member(project._id, 'editor')
    await t.invitation(owner, project._id, { email: 'invited-address@example.test' })
    const program = await t.program(owner, { scopes: ['read', 'write', 'publish'] })
    const params: Record<string, string> = {
      projectId: project._id,
      milestoneId: milestone._id,
      entryId: entry._id,
    }
    const { url } = await t.call('prepareExport', { body: {} }, { as: program })
    const archive = await t.app.inject(url)
    const json = await textInArchive(archive.rawPayload, 'milepost.json')
    const answers = await Promise.all(
      Object.values(calls)
        .filter(
          ({ method, path }) =>
            method === 'GET' && [...path.matchAll(/:(\w+)/g)].every(([, id = '']) => id in params),
        )
        .map(async ({ path }) => {
          const url = path.replaceAll(/:(\w+)/g, (_, id: string) => params[id] ?? '')
          return (await t.app.inject({ url, headers: program.headers })).body
        }),
    )
    expect(answers.length).toBeGreaterThan(20)
    for (const answer of [json, ...answers])
      for (const address of [memberAddress, 'invited-address']) expect(answer).not.toContain(address)
    const manager = await t.program(owner, { scopes: ['read', 'manage'] })
    const managed = await t.call('prepareExport', { body: {} }, { as: manager })
    const theirs = await textInArchive((await t.app.inject(managed.url)).rawPayload, 'milepost.json')
    expect(theirs).toContain(memberAddress)
    const { activity } = await t.call('listActivity', { params: { projectId: project._id } }, { as: manager })
    expect(activity.map(({ subject }) => subject)).toContain('invited-address@example.test')
  })
})

async function textInArchive(bytes: Buffer, path: string): Promise<string> {
  const zip = await fromBufferPromise(bytes)
  for await (const entry of zip.eachEntry())
    if (entry.fileName === path) return text(await zip.openReadStreamPromise(entry))
  throw new Error(`the archive has no ${path}`)
}

describe('a token is revoked', () => {
  it('by its owner and nobody else, and its streams end', async () => {
    const ada = await t.person()
    const program = await t.program(ada)
    const stream = await readEvents(t.app, program)
    await vi.waitFor(() => expect(stream.heard).toEqual([{ type: 'ready' }]), { timeout: 60_000 })
    const [token] = await t.call('listAccessTokens', {}, { as: ada })
    const params = { tokenId: token?._id ?? '' }
    expect((await t.refused('revokeAccessToken', { params }, { as: await t.person() })).code).toBe(
      'not_found',
    )
    expect(await statusFor(program)).toBe(200)
    await t.call('revokeAccessToken', { params }, { as: ada })
    expect(await statusFor(program)).toBe(401)
    await vi.waitFor(() => expect(stream.hasEnded).toBe(true), { timeout: 60_000 })
  })

  it('immediately when its owner is suspended', async () => {
    const [admin, ada] = [await t.person(), await t.person()]
    await sql`update users set is_admin = true where id = ${admin.userId}`.execute(t.deps.db)
    const program = await t.program(ada)
    const stream = await readEvents(t.app, program)
    const personFields = { params: { personId: ada.userId }, body: { isSuspended: true } }
    await t.call('updatePerson', personFields, { as: admin })
    expect(await statusFor(program)).toBe(401)
    await vi.waitFor(() => expect(stream.hasEnded).toBe(true), { timeout: 60_000 })
    await t.call('updatePerson', { ...personFields, body: { isSuspended: false } }, { as: admin })
    expect(await statusFor(program)).toBe(401)
  })

  it('and cannot be created in a session that has ended meanwhile', async () => {
    const ada = await t.person()
    await sql`update sessions set revoked_at = now() where user_id = ${ada.userId}`.execute(t.deps.db)
    const body = { name: 'x', scopes: ['read'], days: null }
    expect((await t.refused('createAccessToken', { body }, { as: ada })).status).toBe(401)
  })
})

describe('a stream of events', () => {
  it('is opened by a token with the scope read, and contains only events of its projects', async () => {
    const owner = await t.person()
    const [inside, outside] = [await t.project(owner), await t.project(owner)]
    const program = await t.program(owner, { scopes: ['read'], projects: [inside._id] })
    const { heard, leave } = await readEvents(t.app, program)
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'ready' }), { timeout: 60_000 })
    t.deps.events.publish({ person: owner.userId }, { person: owner.userId, project: outside._id })
    const isOfInside = (one: Event) => one.type === 'project' && one.projectId === inside._id
    // The first one may be that of the project's creation, so the second one follows those that may not be heard.
    for (const times of [1, 2]) {
      t.deps.events.publish({ person: owner.userId, project: inside._id })
      await vi.waitFor(() => expect(heard.filter(isOfInside).length).toBeGreaterThanOrEqual(times), {
        timeout: 60_000,
      })
    }
    expect(heard.filter((one) => !isOfInside(one))).toEqual([{ type: 'ready' }])
    leave()
    const writer = await t.program(owner, { scopes: ['write'] })
    expect(await statusFor(writer, EVENTS_PATH)).toBe(403)
  })
})

it('each token has its own rate limit', { tags: ['long'] }, async () => {
  const limited = await t.replica({}, { rateLimit: true, trustProxy: true })
  const [one, another] = [await t.program(await t.person()), await t.program(await t.person())]
  const send = ({ headers }: Sender, ip: number) =>
    limited.inject({ url: '/api/projects', headers: { ...headers, 'x-forwarded-for': `192.0.2.${ip}` } })
  for (let sent = 0; sent < TOKEN_REQUESTS_PER_MINUTE; sent += 1) await send(one, 1 + (sent % 2))
  const refused = await send(one, 3)
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await send(another, 3)).statusCode).toBe(200)
  await limited.close()
})

it('the OpenAPI description names the scope that a call requires, and marks the calls that only people may make', async () => {
  const { paths, components } = (await t.app.inject('/api/openapi.json')).json()
  expect(components.securitySchemes.accessToken).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(paths['/api/projects'].get.security).toEqual([{ session: [] }, { accessToken: ['read'] }])
  expect(paths['/api/account'].get.security).toBeUndefined()
})

it('a new token is reported to its owner by email, if the server sends mail', async () => {
  const server = await mailingTestServer()
  const fields = account()
  const browser = visitor(server.app)
  await browser.signUp(fields)
  const { token: session } = await browser.enter()
  const { call } = createClient(server.app)
  const body = { name: 'Click https://phish.example', scopes: ['read' as const], days: null }
  const { token } = await call(
    'createAccessToken',
    { body },
    { headers: { authorization: `Bearer ${session}` } },
  )
  await vi.waitFor(() => expect(subjects()).toContain('A new access token on Milepost'), { timeout: 60_000 })
  const [email] = server.sink.delivered.filter(({ raw }) => raw.includes('A new access token'))
  expect(email?.to).toEqual([fields.email])
  expect(email?.content).toContain('http://localhost:4400/settings')
  expect(email?.content).not.toContain('phish')
  expect(email?.content).not.toContain(token)
  await server.close()

  function subjects() {
    return server.sink.delivered.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim())
  }
})
