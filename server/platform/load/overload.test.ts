import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '#server/app.ts'
import type { LoadLimits } from '#server/platform/settings.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

/** The pool of a test has five connections. */
const CONNECTIONS = 5
const WAITING = 4

let t: TestApp
let app: Awaited<ReturnType<typeof buildApp>>
let person: Person
beforeAll(async () => {
  t = await testApp()
  person = await t.person()
  app = await appWith({ delay: 0, waiting: WAITING })
})
afterAll(async () => {
  await app.close()
  await t.close()
})

function appWith(limits: LoadLimits, deps = t.deps) {
  return buildApp(deps, {
    publicUrl: 'http://localhost:3000',
    trustProxy: false,
    rateLimit: false,
    entryImages: false,
    databasePoolSize: 10,
    eventStreamsMax: 100,
    load: { limits, pool: t.pool },
    pages: 'none',
  })
}

const ask = () => app.inject({ url: '/api/projects', headers: person.headers })

/** Takes every connection with queries that would run for a minute; `end` cuts them short. */
async function fallAsleep() {
  const sleeping = Array.from({ length: CONNECTIONS }, () =>
    t.pool.query('select pg_sleep(60)').catch(() => undefined),
  )
  const end = async () => {
    const client = new Client(t.config)
    await client.connect()
    await client.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where query = 'select pg_sleep(60)' and datname = current_database()`,
    )
    await client.end()
    await Promise.all(sleeping)
  }
  await expect.poll(() => t.pool.totalCount - t.pool.idleCount).toBe(CONNECTIONS)
  return end
}

describe('a database that is busy with slow queries', () => {
  it('has further calls refused at once, and everything works again once it is free', async () => {
    const end = await fallAsleep()
    const patient = Array.from({ length: WAITING }, ask)
    await expect.poll(() => t.pool.waitingCount).toBe(WAITING)

    const refused = await ask()
    expect(refused.statusCode).toBe(503)
    expect(refused.headers).toMatchObject({ 'retry-after': '2', 'x-content-type-options': 'nosniff' })
    expect(refused.json()).toEqual({
      code: 'unavailable',
      message: 'The server is busy right now. Please try again in a moment.',
    })
    // It was not put in the line.
    expect(t.pool.waitingCount).toBe(WAITING)
    expect((await app.inject('/healthz')).statusCode).toBe(200)

    await end()
    const answers = await Promise.all(patient)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(WAITING).fill(200))
    expect((await ask()).statusCode).toBe(200)
  })

  it('is not ready for more, and says so without waiting for it', async () => {
    const end = await fallAsleep()
    const ready = await app.inject('/readyz')
    await end()
    expect([ready.statusCode, ready.json().code]).toEqual([503, 'unavailable'])
    expect((await app.inject('/readyz')).statusCode).toBe(200)
  })
})

describe('a start that keeps the process busy', () => {
  it('does not have the first callers refused', async () => {
    const { identity } = t.deps
    const mountProvider: typeof identity.mountProvider = async (api) => {
      for (const end = Date.now() + 1_500; Date.now() < end; );
      return identity.mountProvider(api)
    }
    const late = await appWith(
      { delay: 300, waiting: WAITING },
      { ...t.deps, identity: { ...identity, mountProvider } },
    )
    await pause(50) // what was due meanwhile is done
    const answer = await late.inject({ url: '/api/projects', headers: person.headers })
    await late.close()
    expect(answer.statusCode).toBe(200)
  })
})
