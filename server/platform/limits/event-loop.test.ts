import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type FastifyBaseLogger, fastify } from 'fastify'
import { expect, it } from 'vitest'
import { createLogger } from '#server/platform/log/logger.ts'
import { watchEventLoop } from './overload.ts'

async function watched() {
  const lines: string[] = []
  const loggerInstance: FastifyBaseLogger = createLogger('warn', { write: (line) => void lines.push(line) })
  const app = fastify({ loggerInstance })
  const time = { now: 0 }
  const { look } = watchEventLoop(app, () => time.now)
  const held: (() => void)[] = []
  app.get('/blocks/:id', () => {
    time.now += 700
    return 'done'
  })
  app.get('/waits/:id', () => new Promise((resolve) => held.push(() => resolve('done'))))
  return { app, time, look, held, logged: () => lines.map((line) => JSON.parse(line)) }
}

it('a blocked event loop is logged with the running requests, by method and route only', async () => {
  const { app, time, look, held, logged } = await watched()
  const waiting = [app.inject('/waits/one?token=secret'), app.inject('/waits/two')]
  await expect.poll(() => held.length).toBe(2)
  await app.inject('/blocks/private-title?token=secret')
  time.now += 100
  look()
  expect(logged()).toMatchObject([
    {
      level: 40,
      ms: 700,
      requests: { 'GET /waits/:id': 2, 'GET /blocks/:id': 1 },
      msg: 'the event loop was blocked; these requests were in hand',
    },
  ])
  expect(JSON.stringify(logged())).not.toMatch(/secret|private/)
  for (const end of held) end()
  await Promise.all(waiting)

  time.now += 1_000
  look()
  time.now += 1_000
  look()
  expect(logged().map(({ requests }) => requests)).toEqual([expect.anything(), { 'GET /waits/:id': 2 }, {}])
  await app.close()
})

it('an event loop without or with a short delay is not logged', async () => {
  const { app, time, look, logged } = await watched()
  for (const passed of [100, 101, 600, 100]) {
    time.now += passed
    look()
  }
  expect(logged()).toEqual([])
  await app.close()
})

it('the collector of the young generation frees requests that have ended', async () => {
  const { app, look } = await watched()
  setFlagsFromString('--expose-gc')
  // As the server is started: otherwise V8 may retain requests by itself.
  setFlagsFromString('--no-allocation-site-pretenuring')
  const gc = runInNewContext('gc') as (options: { type: 'minor' }) => void
  const size = 10_000
  app.decorateRequest('attached', null)
  app.addHook('onRequest', async (request) => request.setDecorator('attached', new Uint8Array(size)))
  const before = process.memoryUsage().arrayBuffers
  for (let requests = 0; requests < 1_000; requests += 1) {
    await app.inject('/blocks/one')
    if (requests % 20 === 0) gc({ type: 'minor' })
    if (requests % 100 === 0) look()
  }
  gc({ type: 'minor' })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * size)
  await app.close()
})
