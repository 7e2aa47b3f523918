import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testDatabase } from '#server/database/testing.ts'
import { createJobs, type Jobs, listFailedJobs } from './jobs.ts'

const log = pino({ level: 'silent' })
const pace = { pollSeconds: 0.5, retrySeconds: 1, longestPauseSeconds: 1 }

let database: Awaited<ReturnType<typeof testDatabase>>
let jobs: Jobs<string>

beforeEach(async () => {
  database = await testDatabase()
  jobs = createJobs<string>({ db: database.db, log }, pace)
})
afterEach(async () => {
  await jobs.stop()
  await database.close()
})

const schemas = async () => {
  const { rows } = await database.pool.query<{ nspname: string }>('select nspname from pg_namespace')
  return rows.map(({ nspname }) => nspname)
}

test('no tables are created before a queue is opened', async () => {
  await jobs.stop()
  expect(await schemas()).not.toContain('jobs')
})

test('a job runs after its transaction commits, and never after a rollback', async () => {
  const work = vi.fn<(data: { n: number }) => Promise<void>>(async () => {})
  const queue = await jobs.queue('sums', work)
  await expect(
    database.db.transaction().execute(async (trx) => {
      await queue.add(trx, { n: 1 })
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  await database.db.transaction().execute((trx) => queue.add(trx, { n: 2 }))
  queue.wake()
  await vi.waitFor(() => expect(work).toHaveBeenCalled(), { timeout: 60_000 })
  expect(work.mock.calls).toEqual([[{ n: 2 }]])
})

test('failed jobs are counted by queue until they succeed, without their data', {
  tags: ['long'],
}, async () => {
  expect(await listFailedJobs(database.db)).toEqual([])
  let fails = true
  const queue = await jobs.queue<{ to: string }>('letters', async () => {
    if (fails) throw new Error('no server for ada@example.test')
  })
  await jobs.queue('never', async () => {})
  await database.db.transaction().execute((trx) => queue.add(trx, { to: 'ada@example.test' }))
  queue.wake()
  await vi.waitFor(
    async () => {
      const failed = await listFailedJobs(database.db)
      expect(failed).toEqual([{ queue: 'letters', waiting: 1, givenUp: 0, lastTriedAt: expect.any(Date) }])
    },
    { timeout: 60_000 },
  )
  fails = false
  await vi.waitFor(async () => expect(await listFailedJobs(database.db)).toEqual([]), { timeout: 60_000 })
  await jobs.stop()
  await database.pool.query(`update jobs.job set state = 'failed' where name = 'letters'`)
  expect(await listFailedJobs(database.db)).toMatchObject([{ queue: 'letters', waiting: 0, givenUp: 1 }])
})

test('a failed job is retried until it succeeds', async () => {
  let failures = 2
  const work = vi.fn<(data: object) => Promise<void>>(async () => {
    if (failures-- > 0) throw new Error('not yet')
  })
  const queue = await jobs.queue('stubborn', work)
  await database.db.transaction().execute((trx) => queue.add(trx, {}))
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(3), { timeout: 60_000 })
  await jobs.stop()
  const { rows } = await database.pool.query(`select state from jobs.job where name = 'stubborn'`)
  expect(rows).toEqual([{ state: 'completed' }])
})

test('many jobs run one after the other, not one per poll', async () => {
  const patient = createJobs<string>({ db: database.db, log }, { ...pace, pollSeconds: 600 })
  const work = vi.fn<(data: object) => Promise<void>>(async () => {})
  const queue = await patient.queue('many', work)
  await database.db.transaction().execute(async (trx) => {
    for (let n = 0; n < 5; n += 1) await queue.add(trx, { n })
  })
  queue.wake()
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(5), { timeout: 60_000 })
  await patient.stop()
})

test('a job that one process added is run by the next one', async () => {
  const idle = await jobs.queue<object>('left', () => new Promise(() => {}))
  await jobs.stop()
  await database.db.transaction().execute((trx) => idle.add(trx, { left: true }))
  const next = createJobs<string>({ db: database.db, log }, pace)
  const work = vi.fn<(data: object) => Promise<void>>(async () => {})
  await next.queue('left', work)
  await vi.waitFor(() => expect(work).toHaveBeenCalledWith({ left: true }), { timeout: 60_000 })
  await next.stop()
})

test('two servers can open their first queue concurrently, without breaking a connection', async () => {
  const other = createJobs<string>({ db: database.db, log }, pace)
  const queues = await Promise.all([jobs, other].map((one) => one.queue('first', async () => {})))
  expect(queues).toHaveLength(2)
  const answers = await Promise.all(Array.from({ length: 10 }, () => database.pool.query('select 1 as one')))
  expect(answers.flatMap(({ rows }) => rows)).toEqual(Array.from({ length: 10 }, () => ({ one: 1 })))
  await other.stop()
})

test('in an exclusive queue one job runs and one waits, and further ones are dropped', async () => {
  const done: number[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const work = vi.fn<(data: { n: number }) => Promise<void>>(async ({ n }) => {
    await held
    done.push(n)
  })
  const queue = await jobs.queue('entry-renderings', work)
  const add = (n: number) => database.db.transaction().execute((trx) => queue.add(trx, { n }))
  await add(1)
  queue.wake()
  await vi.waitFor(() => expect(work).toHaveBeenCalled(), { timeout: 60_000 })
  for (const n of [2, 3]) await add(n)
  release()
  await vi.waitFor(() => expect(done).toEqual([1, 2]), { timeout: 60_000 })
  const { rows } = await database.pool.query(
    `select count(*)::int as count from jobs.job where name = 'entry-renderings'`,
  )
  expect(rows).toEqual([{ count: 2 }])
})
