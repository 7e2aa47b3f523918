import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createLogger } from '#server/platform/logger.ts'
import { createMetrics, type Metrics } from '#server/platform/metrics/metrics.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

type Line = { msg: string; reqId: string; req: object; status: number }

let t: TestApp
let owner: Person
let figures: Metrics
const lines: Line[] = []
/** How many requests reached the app. */
let handled = 0
subscribe('tracing:fastify.request.handler:start', () => {
  handled += 1
})

beforeAll(async () => {
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  figures = createMetrics({ totalCount: 0, idleCount: 0, waitingCount: 0 })
  const metrics = { figures, token: undefined }
  t = await testApp({ log }, { pages: 'built', trustProxy: 'loopback', metrics })
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  owner = await t.person({ name: 'Grace Hopper' })
})
afterAll(() => t.close())
beforeEach(() => {
  lines.length = 0
  handled = 0
})

async function ask(path: string, options: RequestOptions = {}, text?: string) {
  const { port } = t.app.server.address() as AddressInfo
  const sent = send({ host: '127.0.0.1', port, path, agent: false, ...options }).end(text)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await response.toArray())
  return { statusCode: response.statusCode ?? 0, headers: response.headers, bytes: bytes.toString('base64') }
}

async function published() {
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const milestone = await t.milestone(owner, projectId)
  await t.entry(owner, milestone._id, { title: 'Boards', content: 'They **bend**. '.repeat(200) })
  return { projectId, path: `/world/${projectId}` }
}

const passing = ['date', 'x-request-id', 'connection', 'keep-alive']
const lasting = (headers: IncomingMessage['headers']) =>
  Object.entries(headers)
    .filter(([name]) => !passing.includes(name))
    .toSorted(([a], [b]) => a.localeCompare(b))

it('answers ahead of the app with the very status, headers and bytes of the app', async () => {
  const { path } = await published()
  for (const url of ['/', path, `${path}/feed.atom`]) {
    const etag = String((await ask(url)).headers.etag)
    for (const encoding of ['identity', 'gzip', 'br']) {
      for (const known of [undefined, etag, `"another", ${etag}`, '"another"']) {
        const headers = { 'accept-encoding': encoding, ...(known && { 'if-none-match': known }) }
        const behind = await t.app.inject({ url, headers })
        handled = 0
        const ahead = await ask(url, { headers })
        expect(handled).toBe(0)
        expect([ahead.statusCode, ahead.bytes]).toEqual([
          behind.statusCode,
          behind.rawPayload.toString('base64'),
        ])
        expect(lasting(ahead.headers)).toEqual(lasting(behind.headers as IncomingMessage['headers']))
        expect(ahead.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
      }
    }
  }
})

it('leaves to the app what is not kept in the asked encoding, and what is no mere GET', async () => {
  const { path } = await published()
  handled = 0
  await ask(path)
  await ask(path)
  expect(handled).toBe(1)
  await ask(path, { headers: { 'accept-encoding': 'br' } })
  expect(handled).toBe(2)
  expect((await ask(path, { headers: { 'content-length': 4 } }, 'body')).statusCode).toBe(200)
  expect((await ask(path, { method: 'HEAD' })).bytes).toBe('')
  expect(handled).toBe(4)
  expect((await ask(path, { method: 'POST' })).statusCode).toBe(405)
})

it('answers nothing that has changed or was taken back, from the very next request on', async () => {
  const { projectId, path } = await published()
  const { headers } = await ask(path)
  await ask(path)
  const body = { title: 'A kayak', description: 'Skin on frame', isPublic: true }
  await t.call('updateProject', { params: { projectId }, body }, { as: owner })
  const changed = await ask(path, { headers: { 'if-none-match': String(headers.etag) } })
  expect(Buffer.from(changed.bytes, 'base64').toString()).toContain('A kayak')
  const withdrawn = { ...body, isPublic: false }
  await t.call('updateProject', { params: { projectId }, body: withdrawn }, { as: owner })
  for (const etag of [headers.etag, changed.headers.etag]) {
    const gone = await ask(path, { headers: { 'if-none-match': String(etag) } })
    expect([gone.statusCode, gone.headers['cache-control']]).toEqual([404, 'no-store'])
  }
})

it('logs and counts what it answers as the app does', async () => {
  const { path } = await published()
  const headers = { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer secret' }
  for (let time = 0; time < 3; time += 1) await ask(`${path}?utm_source=secret`, { headers })
  await expect.poll(() => lines.filter(({ req }) => req && 'path' in req && req.path === path).length).toBe(3)
  const answered = lines.filter(({ req }) => req && 'path' in req && req.path === path)
  expect(new Set(answered.map(({ reqId }) => reqId)).size).toBe(3)
  expect(answered.map(({ req, status, msg }) => ({ req, status, msg }))).toEqual(
    Array.from({ length: 3 }, () => ({
      req: { method: 'GET', path, address: '203.0.113.9' },
      status: 200,
      msg: 'answered',
    })),
  )
  expect(JSON.stringify(lines)).not.toContain('secret')
  const { body } = await figures.text()
  const counted = /request_duration_seconds_count\{method="GET",route="\/\*",status="2xx"\} (\d+)/.exec(body)
  expect(Number(counted?.[1])).toBeGreaterThanOrEqual(3)
})

it('answers nothing once the app closes', async () => {
  const { path } = await published()
  await ask(path)
  t.app.health.closing = true
  expect((await ask(path)).statusCode).toBe(503)
  t.app.health.closing = false
  expect((await ask(path)).statusCode).toBe(200)
})
