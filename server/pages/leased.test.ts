import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Pool, QueryArrayConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLeases } from '#server/platform/leases.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

/** Servers on one database: the first makes all changes, the last takes a look for granted for ever. */
let t: TestApp
let other: FastifyInstance
let credulous: FastifyInstance
let owner: Person
const endless = createLeases(() => 0)
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  other = await t.replica()
  credulous = await t.replica({ leases: endless })
  for (const app of [t.app, other, credulous]) await app.listen({ host: '127.0.0.1', port: 0 })
  owner = await t.person({ name: 'Grace Hopper' })
})
afterAll(async () => {
  await credulous.close()
  await other.close()
  await t.close()
})

async function ask(app: FastifyInstance, path: string, headers: Record<string, string> = {}) {
  const { port } = app.server.address() as AddressInfo
  const [response] = await once(get({ host: '127.0.0.1', port, path, headers, agent: false }), 'response')
  const text = Buffer.concat(await response.toArray()).toString()
  return { status: response.statusCode, etag: response.headers.etag, text }
}

async function published() {
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const milestone = await t.milestone(owner, projectId)
  const { _id: entryId } = await t.entry(owner, milestone._id, { title: 'Boards' })
  const path = `/world/${projectId}`
  const params = { projectId, milestoneId: milestone._id, entryId }
  const paths = [path, `${path}/entries/${entryId}`, `${path}/feed.atom`]
  return { params, path, paths }
}

const fields = { title: 'A kayak', description: 'Skin on frame', content: 'Other words' }

/** Everything that takes something from the world. */
const withdrawals = {
  'a project that is made private': (params: Params) =>
    t.call('updateProject', { params, body: { ...fields, isPublic: false } }, { as: owner }),
  'a project that is deleted': (params: Params) => t.call('deleteProject', { params }, { as: owner }),
  'a milestone that is deleted': (params: Params) => t.call('deleteMilestone', { params }, { as: owner }),
  'an entry that is deleted': (params: Params) => t.call('deleteEntry', { params }, { as: owner }),
  'an entry that is written anew': (params: Params) =>
    t.call('updateEntry', { params, body: fields }, { as: owner }),
}
type Params = { projectId: string; milestoneId: string; entryId: string }

/** Keeps asking until the function that it answers is called, so that there always is a lease. */
function keepAsking(app: FastifyInstance, paths: string[]) {
  const over = new AbortController()
  const asking = Promise.all(
    paths.map(async (path) => {
      while (!over.signal.aborted) await ask(app, path)
    }),
  )
  return async () => {
    over.abort()
    await asking
  }
}

describe('by the time that the change is answered, no other server shows', () => {
  it.each(Object.entries(withdrawals))('%s', async (_what, withdraw) => {
    const { params, paths } = await published()
    const etags = await Promise.all(paths.map(async (path) => String((await ask(other, path)).etag)))
    const stop = keepAsking(other, paths)
    await withdraw(params)
    const seen = paths.flatMap((path, index) => [
      ask(other, path),
      ask(other, path, { 'if-none-match': etags[index] ?? '' }),
    ])
    for (const { status, text } of await Promise.all(seen)) {
      expect(status).not.toBe(304)
      expect(text).not.toContain('Boards')
    }
    await stop()
  })
})

describe('what was looked up', () => {
  const looks = () => vi.spyOn(t.pool, 'query').mockClear()
  const isLook = ([query]: unknown[]) => (query as { name?: string }).name === 'stamps'

  it('serves many answers, page and 304 alike', async () => {
    const { path } = await published()
    const { etag } = await ask(credulous, path)
    const query = looks()
    for (let time = 0; time < 10; time += 1) {
      expect((await ask(credulous, path)).status).toBe(200)
      expect((await ask(credulous, path, { 'if-none-match': String(etag) })).status).toBe(304)
    }
    expect(query.mock.calls.filter(isLook)).toHaveLength(0)
    query.mockRestore()
  })

  it('is never taken for granted where a project is private or missing', async () => {
    const { _id } = await t.project(owner)
    for (const path of [`/world/${_id}`, '/world/0199f1f0-0000-7000-8000-000000000000']) {
      expect((await ask(credulous, path)).status).toBe(404)
      const query = looks()
      expect((await ask(credulous, path)).status).toBe(404)
      expect(query.mock.calls.filter(isLook)).toHaveLength(1)
      query.mockRestore()
    }
  })
})

describe('on the server that makes a change', () => {
  /** The database, whose answers to looks that are under way can be held up. */
  const gate = { held: [] as (() => void)[], isShut: false }
  let own: FastifyInstance
  beforeAll(async () => {
    const query = async (statement: QueryArrayConfig) => {
      const found = await t.pool.query(statement)
      if (gate.isShut) await new Promise<void>((resolve) => gate.held.push(resolve))
      return found
    }
    own = await t.replica({ leases: endless }, { pool: { query: query as Pool['query'] } })
    await own.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => own.close())

  const rename = async ({ projectId }: Params, as: Person, title: string, isPublic = true) => {
    const url = `/api/projects/${projectId}`
    const payload = { title, description: 'y', isPublic }
    const answer = await own.inject({ method: 'PUT', url, headers: as.headers, payload })
    expect(answer.statusCode).toBe(200)
  }

  it('nothing is ever older than what was saved there', async () => {
    const { params, path } = await published()
    for (const title of ['Kayak', 'Umiak', 'Raft']) {
      await rename(params, owner, title)
      expect((await ask(own, path)).text).toContain(title)
      expect((await ask(own, path)).text).toContain(title)
    }
    const entry = await t.entry(owner, params.milestoneId, { title: 'Planks' })
    endless.end(params.projectId)
    expect((await ask(own, path)).text).toContain(entry.title)
    await rename(params, owner, 'Raft', false)
    expect((await ask(own, path)).status).toBe(404)
  })

  it('a look that began before it is not taken for granted after it', async () => {
    const { params, path } = await published()
    await ask(own, path)
    endless.end(params.projectId)
    gate.isShut = true
    const early = ask(own, path)
    await expect.poll(() => gate.held.length).toBe(1)
    gate.isShut = false
    await rename(params, owner, 'Kayak', false)
    gate.held.splice(0).forEach((open) => open())
    expect((await early).status).toBe(200)
    expect((await ask(own, path)).status).toBe(404)
  })
})
