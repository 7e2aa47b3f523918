import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallName, calls } from '#contract/calls.ts'
import { type Call, successStatus } from '#contract/parts/call.ts'
import { visitor } from '#server/identity/local/testing.ts'
import { can } from '#server/permissions/roles-by-action.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'
import { testServer } from '#server/testing/local-server.ts'
import { isTooComplex } from './bodies.ts'

let t: TestApp
let owner: Person
let viewer: Person
let ids: Record<string, string>
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  const { _id: projectId } = await t.project(owner)
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const entry = await t.entry(owner, milestoneId)
  const revisionId = await t.revisionOf(owner, entry)
  viewer = await t.member(projectId, 'viewer')
  ids = {
    projectId,
    milestoneId,
    entryId: entry._id,
    revisionId,
    collaboratorId: projectId,
    webhookId: projectId,
    linkId: projectId,
    bulkChangeId: projectId,
  }
})
afterAll(() => t.close())

const urlOf = (name: CallName) => calls[name].path.replaceAll(/:(\w+)/g, (_, key: string) => ids[key] ?? key)

function send(name: CallName, payload: string, as: Person | undefined) {
  const headers = { ...as?.headers, 'content-type': 'application/json' }
  return t.app.inject({ method: calls[name].method, url: urlOf(name), headers, payload })
}

const inProject = (Object.keys(calls) as CallName[]).filter(
  (name) => /:(projectId|milestoneId)/.test(calls[name].path) && calls[name].method !== 'GET',
)

describe('a caller without the right to a call', () => {
  it.each(inProject)('is refused by %s before its body is read', async (name) => {
    // Invalid JSON, so parsing it would return a different error.
    const huge = `{"tags":[${'1,'.repeat(950_000)}`
    const asks = { viewer, stranger: await t.person(), visitor: undefined }
    const statuses: Record<string, number> = {}
    for (const [who, as] of Object.entries(asks)) statuses[who] = (await send(name, huge, as)).statusCode
    const { needs }: Call = calls[name]
    const isAllowed = can({ role: 'viewer', isPublic: false }, needs ?? 'project:view')
    expect(statuses).toEqual({ viewer: isAllowed ? 400 : 403, stranger: 404, visitor: 401 })
  })

  it('stores no file, and the form is not read', async () => {
    for (const image of [{ bytes: Buffer.alloc(100_000) }, undefined]) {
      const fields = { title: '', content: 'x'.repeat(900_000) }
      const refused = await sendForm(t.app, { url: urlOf('createEntry'), as: viewer, fields, image })
      expect(refused.statusCode).toBe(403)
    }
  })

  it('gets 404 for a malformed id, before the body is read', async () => {
    const response = await t.app.inject({
      method: 'PUT',
      url: '/api/projects/no-id',
      headers: { ...owner.headers, 'content-type': 'application/json' },
      payload: '{',
    })
    expect([response.statusCode, response.json().message]).toEqual([404, 'Project not found'])
  })
})

describe('a body', () => {
  const entryWith = (tags: unknown) => JSON.stringify({ title: 'A', content: 'b', tags })

  it('with too many tags is refused with one sentence about their number', async () => {
    const tooMany = [
      await send('createEntry', entryWith(Array(9_000).fill(1)), owner),
      await send('createEntry', entryWith([...Array(51).keys()].map(String)), owner),
    ]
    for (const response of tooMany) {
      expect(response.statusCode).toBe(400)
      expect(response.json().issues).toEqual([{ path: 'tags', message: 'An entry has at most 50 tags' }])
    }
  })

  it('may repeat its tags', async () => {
    const tags = Array.from({ length: 120 }, (_, index) => `tag ${index % 50}`)
    const response = await send('createEntry', entryWith(tags), owner)
    expect(response.statusCode).toBe(successStatus(calls.createEntry))
    expect(response.json().tags).toHaveLength(50)
  })

  it('with many errors is refused with the first fifty', async () => {
    const response = await send('createEntry', entryWith(Array(400).fill(1)), owner)
    expect(response.statusCode).toBe(400)
    expect(response.json().issues).toHaveLength(50)
    expect(response.body.length).toBeLessThan(10_000)
  })

  it('of a form has no long list of tags, and no more text than a JSON body', async () => {
    const fields = { title: 'A', content: 'b', tags: `[${'"x",'.repeat(50_000)}"x"]` }
    const form = { url: urlOf('createEntry'), as: owner }
    const long = await sendForm(t.app, { ...form, fields })
    expect(long.json().issues).toEqual([{ path: 'tags', message: 'Tags must be a list of words' }])
    const much = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, 'x'.repeat(700_000)]))
    expect((await sendForm(t.app, { ...form, fields: much })).statusCode).toBe(413)
  })

  it('is refused before it is parsed if it is nested too deeply or has too many values', async () => {
    for (const open of ['[', '{"a":']) {
      const deep = `{"title":${open.repeat(100_000)}`
      const response = await send('createProject', deep, owner)
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toBe('The body is nested too deeply or too long')
    }
    const many = `{"title":"A","description":"b","x":[${'1,'.repeat(20_000)}1]}`
    expect((await send('createProject', many, owner)).statusCode).toBe(400)
  })

  it('may contain brackets, commas and quotes in strings', async () => {
    const description = `${'[{'.repeat(500)}\\"${','.repeat(2_000)}\\\\`
    const response = await send('createProject', JSON.stringify({ title: '["{\\', description }), owner)
    expect(response.statusCode).toBe(201)
    expect(response.json()).toMatchObject({ title: '["{\\', description })
  })
})

describe('the depth of JSON', () => {
  it.each([
    ['[]', false],
    [`${'['.repeat(32)}${']'.repeat(32)}`, false],
    [`${'['.repeat(33)}${']'.repeat(33)}`, true],
    [`${'[],'.repeat(100)}[]`, false],
    [`{"a":"${'['.repeat(99)}"}`, false],
    [`{"a":"\\"${'['.repeat(99)}"}`, false],
    [`{"a":"\\\\",${'"b":['.repeat(33)}`, true],
    [`"${'['.repeat(99)}`, false],
    [`"\\`, false],
    [`[${'1,'.repeat(9_998)}1]`, false],
    [`[${'1,'.repeat(10_000)}1]`, true],
  ])('of %.20s counts only brackets outside of strings', (json, expected) => {
    expect(isTooComplex(json)).toBe(expected)
  })
})

describe('the body of a sign-in', () => {
  it('may have at most 16 kB', async () => {
    const server = await testServer()
    for (const url of ['/api/auth/sign-up/email', '/api/auth/sign-in/email', '/api/users/firebase-auth']) {
      const ask = (size: number) => visitor(server.app).send('POST', url, { x: 'x'.repeat(size) })
      expect([url, (await ask(16_000)).statusCode]).toEqual([url, 400])
      expect([url, (await ask(17_000)).statusCode]).toEqual([url, 413])
    }
    await server.close()
  })
})
