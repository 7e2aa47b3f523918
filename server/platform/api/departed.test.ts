import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import { createMetrics } from '#server/platform/metrics/prometheus.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let metrics: Metrics
let owner: Person
let projectId: string
let milestoneId: string
const lines: { level: number; msg: string }[] = []
beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  metrics = createMetrics({ totalCount: 0, idleCount: 0, waitingCount: 0 })
  t = await testApp(
    { log: pino({ level: 'info' }, stream) },
    { metrics: { figures: metrics, token: undefined } },
  )
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  owner = await t.person()
  projectId = (await t.project(owner))._id
  milestoneId = (await t.milestone(owner, projectId))._id
})
afterAll(() => t.close())

/** Sends a beginning of a request and resets the connection, at once or once the server has read it. */
async function leave(text: string, isAtOnce: boolean) {
  const socket = connect((t.app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  const read = isAtOnce ? undefined : once(t.app.server, 'request')
  await new Promise<void>((resolve) => socket.write(text, () => resolve()))
  await read
  const closed = once(socket, 'close')
  socket.resetAndDestroy()
  await closed
}

const departed = async () =>
  [...(await metrics.text()).body.matchAll(/^milepost_http_departed_total\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )

const requestOf = (line: string, body = '', type = 'application/json') =>
  [
    `${line} HTTP/1.1`,
    'host: localhost',
    `authorization: ${owner.headers.authorization}`,
    ...(body === '' ? [] : [`content-type: ${type}`, 'content-length: 5000']),
    '',
    body,
  ].join('\r\n')

const form = '--x\r\ncontent-disposition: form-data; name="title"\r\n\r\nA ti'
const image =
  '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\nPNG'

it('a client that resets its connection is no error of the server, on any kind of route, and is counted', async () => {
  const [file] = await t.call(
    'reserveFiles',
    { params: { projectId }, body: { files: [{ name: 'a.bin', size: 5000 }] } },
    { as: owner },
  )
  const requests = [
    requestOf('GET /api/projects'),
    requestOf('GET /api/nothing'),
    requestOf('GET /healthz'),
    requestOf(`GET /world/${projectId}/share.png`),
    requestOf('POST /api/projects', '{"title":'),
    requestOf('POST /api/users/firebase-auth', '{"idToken":'),
    requestOf(`POST /api/milestones/${milestoneId}/entries`, form, 'multipart/form-data; boundary=x'),
    requestOf(`POST /api/milestones/${milestoneId}/entries`, image, 'multipart/form-data; boundary=x'),
    requestOf(`PUT /api/files/${file?._id}/content`, 'some', 'application/octet-stream'),
    requestOf('PUT /api/account/picture', 'some', 'image/png'),
    requestOf('POST /mcp', '{"jsonrpc":'),
    requestOf('POST /api/nothing', 'some', 'text/plain'),
  ]
  for (const isAtOnce of [true, false]) for (const text of requests) await leave(text, isAtOnce)
  for (let count = 0; count < 20; count += 1) await leave(requestOf('GET /api/projects'), true)
  // The server is fine, and has come to the end of what was sent before.
  expect((await t.app.inject('/healthz')).statusCode).toBe(200)
  await expect.poll(departed).toBeGreaterThanOrEqual(6)
  expect(lines.filter(({ level }) => level >= 40)).toEqual([])
})
