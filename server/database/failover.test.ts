import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { exitCodeOf } from '#server/cannot-start.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { startListening } from '#server/platform/events/listener.ts'
import { transact } from '#server/platform/transact.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { type Connection, connect } from './connect.ts'
import { reachDatabase } from './open.ts'
import { requireSession } from './pooler.ts'
import { type DatabaseProxy, databaseProxy } from './testing-proxy.ts'

const log = pino({ level: 'silent' })

let t: TestApp
let person: Person
let proxy: DatabaseProxy
/** An application that connects to its database through the proxy, and its connections. */
let app: TestApp['app']
let connection: Connection
beforeAll(async () => {
  t = await testApp()
  person = await t.person()
  proxy = await databaseProxy(t.config)
  // Enough for every statement that is not blocked, even on a busy machine.
  const impatient = { ...proxy.config, max: 5, statement_timeout: 1_500, connectionTimeoutMillis: 1_500 }
  connection = connect(impatient, log, { graceMs: 200 })
  app = await t.replica({ db: connection.db })
})
afterEach(() => proxy.fault('none'))
afterAll(async () => {
  await app.close()
  await connection.close()
  await proxy.close()
  await t.close()
})

const fields = { title: 'A canoe', description: 'Strip by strip' }

const create = (title = 'A canoe') =>
  app.inject({ method: 'POST', url: '/api/projects', headers: person.headers, payload: { ...fields, title } })

const titles = async () =>
  (await t.call('listProjects', {}, { as: person })).map(({ title }: { title: string }) => title)

const unavailable = { code: 'unavailable', message: expect.any(String) }

/** Sets whether new connections to the test database are read-only. */
async function setReadOnly(readOnly: boolean) {
  const { rows } = await t.pool.query<{ name: string }>('select current_database() as name')
  await t.pool.query(`alter database ${rows[0]?.name} set default_transaction_read_only = ${readOnly}`)
}

describe('a read-only database', () => {
  afterEach(() => setReadOnly(false))

  it('is reported as not ready, causes 503 responses, and is used as soon as it accepts writes', async () => {
    await setReadOnly(true)
    const fresh = connect(t.config, log)
    const started = await t.replica({ db: fresh.db })
    const readiness = await started.inject('/readyz')
    const refused = await started.inject({ url: '/api/projects', headers: person.headers })
    await setReadOnly(false)
    const recovered = await started.inject('/readyz')
    await started.close()
    await fresh.close()

    expect([readiness.statusCode, readiness.json().message]).toEqual([503, 'The database takes no writes'])
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(recovered.statusCode).toBe(200)
  })

  it('counts as an outage even for existing connections', async () => {
    const held = connect({ ...t.config, max: 1 }, log)
    await sql`set default_transaction_read_only = on`.execute(held.db)
    const started = await t.replica({ db: held.db })
    const payload = fields
    const refused = await started.inject({
      method: 'POST',
      url: '/api/projects',
      headers: person.headers,
      payload,
    })
    expect((await started.inject('/readyz')).statusCode).toBe(503)
    await started.close()
    await held.close()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(refused.json()).toEqual(unavailable)
  })
})

describe('the start', () => {
  const urlOf = ({ config: { host, port, user, password, database } }: DatabaseProxy) =>
    `postgres://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${database}`

  const reach = (progress: () => void, timeoutMs?: number) =>
    reachDatabase(
      { databaseUrl: urlOf(proxy), dataDir: '', databasePoolSize: 2 },
      { log, progress, lost: () => undefined, ...(timeoutMs !== undefined && { timeoutMs }) },
    )
  const ignore = () => undefined

  it('waits until a load balancer has a primary', { tags: ['long'] }, async () => {
    proxy.fault('nobody')
    const waits = vi.fn<() => void>(() => proxy.fault('none'))
    await expect(reach(waits)).resolves.toMatchObject({ config: { max: 2 } })
    expect(waits).toHaveBeenCalledOnce()
  })

  it('waits until a standby is promoted, and states the cause if none is', { tags: ['long'] }, async () => {
    await setReadOnly(true)
    await expect(reach(ignore, 0)).rejects.toThrow(
      'DATABASE_URL leads to a standby or a database that is set to read only: let it lead to the primary.',
    )
    await expect(reach(() => void setReadOnly(false))).resolves.toBeDefined()
  })

  it('fails temporarily, unless the database refuses the user', async () => {
    const { user = '', database = '' } = proxy.config
    const failureOf = (databaseUrl: string) =>
      reachDatabase(
        { databaseUrl, dataDir: '', databasePoolSize: 2 },
        { log, progress: ignore, lost: ignore, timeoutMs: 0 },
      ).catch(exitCodeOf)
    const { host, port } = proxy.config
    expect(await failureOf(`postgres://${user}:wrong@${host}:${port}/${database}_gone`)).toBe(78)
    proxy.fault('nobody')
    expect(await failureOf(urlOf(proxy))).toBe(75)
    await setReadOnly(true)
    proxy.fault('none')
    expect(await failureOf(urlOf(proxy))).toBe(75)
    await setReadOnly(false)
  })

  it('names the pooler setting that has to change if the pooler refuses our startup parameters', async () => {
    proxy.fault('strict')
    await expect(reach(ignore)).rejects.toThrow(
      'give pgbouncer ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout',
    )
  })

  it('refuses a pooler that shares its connections, and accepts any other', async () => {
    await requireSession(proxy.config)
    proxy.fault('transaction-mode')
    await expect(requireSession(proxy.config, 0)).rejects.toThrow('set pool_mode = session in pgbouncer')
  })
})

describe('a frozen server', () => {
  it('causes 503 responses, even to calls that wait for a connection, and recovery needs no restart', {
    tags: ['long'],
  }, async () => {
    expect((await create('Before')).statusCode).toBe(201)
    proxy.fault('frozen')
    const answers = await Promise.all([create(), create(), create(), create(), create(), create(), create()])
    proxy.fault('none')
    for (const answer of answers) {
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
      expect(answer.json()).toEqual(unavailable)
    }
    expect((await create('After')).statusCode).toBe(201)
    expect(await titles()).toEqual(['After', 'Before'])
  })

  it('does not prevent the pool from closing', async () => {
    const closing = connect(proxy.config, log, { graceMs: 100 })
    await sql`select`.execute(closing.db)
    proxy.fault('frozen')
    await expect(closing.close()).resolves.toBeUndefined()
  })

  it('is detected by the event listener', async () => {
    const onReconnect = vi.fn<() => void>()
    const warn = vi.fn<(...said: unknown[]) => void>()
    const stop = await startListening({
      config: proxy.config,
      log: Object.assign(pino({ level: 'silent' }), { warn }),
      channel: 'milepost',
      onMessage: () => undefined,
      onReconnect,
      heartbeatMs: 50,
      // It also limits the reconnection, which takes longer on a busy machine.
      answerMs: 3_000,
    })
    proxy.fault('frozen')
    await expect.poll(() => warn.mock.calls.length, { timeout: 60_000 }).toBeGreaterThan(0)
    proxy.fault('none')
    await expect.poll(() => onReconnect.mock.calls.length, { timeout: 60_000 }).toBe(1)
    await stop()
  })
})

describe('a COMMIT', () => {
  const unknown = {
    code: 'outcome_unknown',
    message: 'We cannot tell whether this was saved. Look before you send it again.',
  }

  it.each([
    ['the answer to it was lost', 'lost-answer', true],
    ['it was lost itself', 'lost-commit', false],
  ] as const)('is reported as uncertain if %s', async (title, fault, isSaved) => {
    proxy.fault(fault)
    const answer = await create(title)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(answer.json()).toEqual(unknown)
    expect((await titles()).includes(title)).toBe(isSaved)
  })

  it('with an unknown outcome keeps the bytes of a file that may be ready', async () => {
    const bytes = Buffer.from('Cedar, 12 boards')
    const { _id: projectId } = await t.project(person)
    const [file] = await uploader(t).reserve(person, projectId, [{ name: 'boards.txt', size: bytes.length }])
    const fileId = file?._id ?? ''
    proxy.fault('lost-answer')
    expect((await uploader({ ...t, app }).put(person, fileId, bytes)).json()).toEqual(unknown)
    expect((await uploader(t).put(person, fileId, bytes)).json()).toMatchObject({ state: 'ready' })
    expect((await t.kept()).filter((name) => name.includes(fileId))).toHaveLength(1)
  })

  it('is reported as uncertain if it succeeded and only the next one failed', async () => {
    const project = await t.project(person)
    const milestone = await t.milestone(person, project._id)
    const entry = await t.entry(person, milestone._id)
    // A save reads back only what it has to render again.
    await t.pool.query('update entry_renderings set renderer = 0 where entry_id = $1', [entry._id])
    proxy.fault('lost-answer', { passing: 1 })
    const answer = await app.inject({
      method: 'PUT',
      url: `/api/milestones/${milestone._id}/entries/${entry._id}`,
      headers: person.headers,
      payload: { title: 'Second boards' },
    })
    expect(answer.json()).toEqual(unknown)
  })

  it('with a lost response in a read-only transaction allows a simple retry', async () => {
    const { _id } = await t.project(person)
    proxy.fault('lost-answer')
    const answer = await app.inject({ url: `/api/projects/${_id}`, headers: person.headers })
    expect([answer.statusCode, answer.json()]).toEqual([503, unavailable])
  })
})

describe('a transaction that is aborted because of another one', () => {
  /** Returns a transaction that collides the given number of times, and counts its attempts. */
  const colliding = (times: number, code: string) => {
    let tries = 0
    const run = transact(t.deps, async (trx, publish) => {
      tries += 1
      publish({ person: person.userId })
      await sql`update users set name = name || ${`, ${tries}`} where id = ${person.userId}`.execute(trx)
      if (tries <= times)
        await sql`do ${sql.lit(`begin raise exception 'collision' using errcode = '${code}'; end`)}`.execute(
          trx,
        )
      return tries
    })
    return { run, tries: () => tries }
  }

  it.each(['40P01', '40001'])('is retried as a whole after %s', async (code) => {
    const before = await nameOf()
    await expect(colliding(2, code).run).resolves.toBe(3)
    expect(await nameOf()).toBe(`${before}, 3`)
  })

  it('is attempted three times at most, and not retried for any other reason', async () => {
    const deadlocked = colliding(3, '40P01')
    await expect(deadlocked.run).rejects.toMatchObject({ code: '40P01' })
    const invalid = colliding(3, '23514')
    await expect(invalid.run).rejects.toMatchObject({ code: '23514' })
    expect([deadlocked.tries(), invalid.tries()]).toEqual([3, 1])
  })

  const nameOf = async () => {
    const { rows } = await t.pool.query<{ name: string }>('select name from users where id = $1', [
      person.userId,
    ])
    return rows[0]?.name
  }
})
