import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ROWS_AT_ONCE } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { textOf } from '#server/platform/api/testing.ts'
import { streamPublicEntries } from '#server/public/service.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { streamEntries } from './stream.ts'

let t: TestApp
let owner: Person
let port: number
/** A public project with 24 MB of text, more than the buffers between a server and its client can hold. */
let large: Awaited<ReturnType<typeof projectOf>>
const LARGE = { entries: 400, characters: 60_000 }

beforeAll(async () => {
  t = await testApp({}, { trustProxy: true })
  owner = await t.person()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  ;({ port } = t.app.server.address() as AddressInfo)
  large = await projectOf(LARGE)
})
afterAll(() => t.close())

/** A public project with one milestone, whose entries are generated in the database. */
async function projectOf({ entries, characters }: { entries: number; characters: number }) {
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  await sql`
    insert into entries (id, milestone_id, title, content, tags, created_at, updated_at)
    select gen_random_uuid(), ${milestoneId}, 'Entry ' || n, repeat('x', ${characters}::int), '{}',
      now() - n * interval '1 second', now()
    from generate_series(1, ${entries}::int) n`.execute(t.deps.db)
  const list = `/api/milestones/${milestoneId}/entries`
  return { projectId, milestoneId, list, world: `/api/projects/world/${projectId}` }
}

/** Sends a request over the network, and resolves with the headers of the response, before its body is read. */
async function ask(
  path: string,
  { headers }: Partial<Person> = owner,
  method = 'GET',
): Promise<IncomingMessage> {
  const asking = request({ port, path, method, headers: headers ?? {}, agent: false }).end()
  const [response] = await once(asking, 'response')
  return response as IncomingMessage
}

async function read(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  return text
}

const hangUp = (responses: IncomingMessage[]) => {
  for (const response of responses) response.destroy()
  return expect.poll(() => t.pool.totalCount - t.pool.idleCount).toBe(0)
}

const caller = () => ({ userId: owner.userId, sessionId: '' })

const streams = {
  'the entries of a milestone': (deps: AppDeps) => streamEntries(deps, caller(), large.milestoneId),
  'a whole project': (deps: AppDeps) => streamPublicEntries(deps, large.projectId),
}

describe.each(Object.entries(streams))('%s, of 24 MB', (_, open) => {
  it('reads only some rows from the database before the client has received them', async () => {
    let fetched = 0
    const counting = t.deps.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        fetched += result.rows.filter((row) => 'content' in row).length
        return result
      },
    })
    let [taken, ahead, characters] = [0, 0, 0]
    for await (const piece of open({ ...t.deps, db: counting })) {
      if (piece.includes('"content":')) taken += 1
      ahead = Math.max(ahead, fetched - taken)
      characters += piece.length
    }
    expect(taken).toBe(LARGE.entries)
    expect(characters).toBeGreaterThan(LARGE.entries * LARGE.characters)
    expect(ahead).toBeLessThan(2 * ROWS_AT_ONCE)
  })

  it('returns one snapshot of the database, regardless of concurrent changes', async () => {
    const { milestoneId, projectId, ...rest } = await projectOf({ entries: 60, characters: 100 })
    const params = { milestoneId, projectId, ...rest }
    const before = await textOf(streamPublicEntries(t.deps, projectId))
    const pieces = streamPublicEntries(t.deps, projectId)
    let text = (await pieces.next()).value ?? ''
    await t.entry(owner, milestoneId, { title: 'Late' })
    await t.pool.query('delete from entries where milestone_id = $1', [milestoneId])
    await t.call('deleteProject', { params }, { as: owner })
    text += await textOf(pieces)
    expect(text).toBe(before)
  })
})

describe('a long response', () => {
  it('has the same content and order as its parts', async () => {
    const { milestoneId, projectId } = await projectOf({ entries: 60, characters: 3_000 })
    const second = await t.milestone(owner, projectId)
    await t.entry(owner, second._id, { title: 'Älter', tags: ['a"b'] })
    const params = { milestoneId, projectId }
    const list = await t.call('listEntries', { params }, { as: owner })
    const paged = []
    for (const page of [1, 2, 3]) {
      const answer = await t.call('listEntries', { params, query: { page, limit: 24 } }, { as: owner })
      if (!Array.isArray(answer)) paged.push(...answer.entries)
    }
    expect(list).toEqual(paged)
    const { project } = await t.call('readWorldPage', { params })
    const milestones = await t.call('listMilestones', { params })
    const others = await t.call('listEntries', { params: { milestoneId: second._id } })
    expect(await t.call('readWorld', { params })).toEqual({
      project,
      milestones: milestones.map((milestone, at) => ({ ...milestone, entries: [list, others][at] })),
    })
  })

  it('is sent completely, as JSON', async () => {
    const response = await ask(large.list)
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(JSON.parse(await read(response))).toHaveLength(LARGE.entries)
  })

  it('is refused like any other without access', async () => {
    const hidden = await t.project(owner)
    const { _id } = await t.milestone(owner, hidden._id)
    expect((await ask(`/api/milestones/${_id}/entries`, await t.person())).statusCode).toBe(404)
    expect((await ask(`/api/projects/world/${hidden._id}`)).statusCode).toBe(404)
  })

  it('ends with a broken connection if the database fails midway', async () => {
    const response = await ask(large.list)
    await t.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where xact_start is not null and pid <> pg_backend_pid() and datname = current_database()`,
    )
    const ended = await read(response).then(
      () => 'whole',
      (error: Error) => error.message,
    )
    expect(ended).toBe('aborted')
    await hangUp([])
  })

  it('supports HEAD requests, without a body', async () => {
    const response = await ask(large.list, owner, 'HEAD')
    expect([response.statusCode, response.headers['content-length'], await read(response)]).toEqual([
      200,
      undefined,
      '',
    ])
    await hangUp([])
  })
})

describe('the clients of long responses', () => {
  it('wait for a place, which whoever does not read loses to them, and together leave database connections free', {
    tags: ['long'],
  }, async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const from = (network: string, { headers }: Partial<Person> = {}) => ({
      headers: { ...headers, 'x-forwarded-for': network },
    })
    const idle = [
      await ask(large.list, from('192.0.2.1', owner)),
      await ask(large.world, from('192.0.2.2')),
      await ask(large.list, from('192.0.2.1', await t.person())),
      await ask(large.list, from('192.0.2.2', await t.person())),
    ]
    expect(idle.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const few = await projectOf({ entries: 10, characters: 100 })
    expect((await ask(few.list)).statusCode).toBe(200) // a short response is not streamed
    expect((await ask('/api/projects')).statusCode).toBe(200)

    let answer: IncomingMessage | undefined
    void ask(large.list, from('192.0.2.3', await t.person())).then((response) => (answer = response))
    await vi.waitFor(
      () => {
        vi.advanceTimersByTime(1_000)
        expect(answer?.statusCode).toBe(200)
      },
      { timeout: 60_000 },
    )
    const ended = idle.map((response) => new Promise((resolve) => response.once('close', resolve)))
    for (const response of idle) response.on('error', () => undefined).resume()
    await Promise.race(ended)
    expect(JSON.parse(await read(answer as IncomingMessage))).toHaveLength(LARGE.entries)
    vi.useRealTimers()
    await hangUp(idle)
  })

  it('release their database connection and their slot when they disconnect', async () => {
    await hangUp([await ask(large.list), await ask(large.world)])
    const again = [await ask(large.list), await ask(large.list)]
    expect(again.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    await hangUp(again)
  })
})
