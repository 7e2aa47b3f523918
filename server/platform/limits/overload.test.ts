import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

const WAITING = 4

let t: TestApp
let app: FastifyInstance
let person: Person
beforeAll(async () => {
  t = await testApp()
  person = await t.person()
  app = await t.replica({}, { load: { limits: { delay: 0, waiting: WAITING }, pool: t.pool } })
})
afterAll(async () => {
  await app.close()
  await t.close()
})

const ask = () => app.inject({ url: '/api/projects', headers: person.headers })

/** Acquires all connections of the pool, as slow queries would; returns the function that releases them. */
async function occupyPool() {
  const clients = await Promise.all(Array.from({ length: t.pool.options.max }, () => t.pool.connect()))
  return () => clients.forEach((client) => client.release())
}

describe('a database that is busy with slow queries', () => {
  it('refuses further calls immediately, and works again once connections are free', async () => {
    const end = await occupyPool()
    const queued = Array.from({ length: WAITING }, ask)
    await expect.poll(() => t.pool.waitingCount).toBe(WAITING)

    const refused = await ask()
    expect(refused.statusCode).toBe(503)
    expect(refused.headers).toMatchObject({ 'retry-after': '2', 'x-content-type-options': 'nosniff' })
    expect(refused.json()).toEqual({
      code: 'unavailable',
      message: 'The server is busy right now. Please try again in a moment.',
    })
    // It was not put in the queue.
    expect(t.pool.waitingCount).toBe(WAITING)
    expect((await app.inject('/healthz')).statusCode).toBe(200)

    end()
    const answers = await Promise.all(queued)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(WAITING).fill(200))
    expect((await ask()).statusCode).toBe(200)
  })

  it('reports that it is not ready, without waiting for the database', async () => {
    const end = await occupyPool()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const readiness = app.inject('/readyz')
    await expect.poll(() => t.pool.waitingCount).toBe(1)
    await vi.advanceTimersByTimeAsync(3_000)
    const ready = await readiness
    vi.useRealTimers()
    end()
    expect([ready.statusCode, ready.json().code]).toEqual([503, 'unavailable'])
    expect((await app.inject('/readyz')).statusCode).toBe(200)
  })
})

describe('a start that blocks the event loop', () => {
  it('causes no refusals, because the event loop is monitored only after it', async () => {
    const { identity } = t.deps
    const isWatched: boolean[] = []
    const mountProvider: typeof identity.mountProvider = async (api) => {
      isWatched.push(api.hasDecorator('isUnderPressure'))
      return identity.mountProvider(api)
    }
    const deps = { identity: { ...identity, mountProvider } }
    const started = await t.replica(deps, {
      load: { limits: { delay: 300, waiting: WAITING }, pool: t.pool },
    })
    isWatched.push(started.hasDecorator('isUnderPressure'))
    await started.close()
    expect(isWatched).toEqual([false, true])
  })
})
