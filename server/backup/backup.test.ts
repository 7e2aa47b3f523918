import { readdir, readFile, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { BACKUP_LOCK } from '#server/database/backup-lock.ts'
import { connect } from '#server/database/connect.ts'
import { setTimeLimits, TIME_LIMITS_QUERY } from '#server/database/testing.ts'
import { allRows, findInconsistencies } from '#server/database/testing-contents.ts'
import { onServer } from '#server/database/testing-setup.ts'
import { createJobs } from '#server/platform/jobs.ts'
import { onConnection } from './store.ts'
import { DROPPED_FUNCTIONS, DROPPED_TABLES, FUNCTIONS, MIGRATION_TABLES, TABLES } from './tables.ts'
import { backUpFrom, backupFixture, putSampleFiles, restoreInto, sampleFiles } from './testing.ts'

const log = pino({ level: 'silent' })

let bench: Awaited<ReturnType<typeof backupFixture>>
beforeAll(async () => {
  bench = await backupFixture()
})
afterAll(() => bench.close())

test('every table is in a backup, and filled by the samples', async () => {
  const rows = await allRows(await bench.filled())
  expect([...Object.keys(rows), ...DROPPED_TABLES].toSorted()).toEqual([...TABLES].toSorted())
  expect(Object.keys(rows).filter((table) => rows[table]?.length === 0)).toEqual([])
  expect(MIGRATION_TABLES).toContain('kysely_migration')
})

test('a restore also drops every function outside of the schemas that it drops', async () => {
  const made = await onServer(await bench.filled(), (client) =>
    client.query<{ name: string }>(`
      select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`),
  )
  expect(made.rows.map(({ name }) => name).toSorted()).toEqual(
    FUNCTIONS.filter((name) => !DROPPED_FUNCTIONS.some((dropped) => dropped === name)).toSorted(),
  )
})

test('a restore has exactly the rows and files of the backup', async () => {
  const [from, to, files, copies, archive] = [
    await bench.filled(),
    await bench.empty(),
    await bench.files(),
    await bench.files(),
    bench.archive(),
  ]
  await putSampleFiles(files)
  const secret = { text: 'a secret of the data folder, long enough', ofFile: true }
  const done = await backUpFrom(from, files, archive, { secret })
  expect(done).toMatchObject({ files: 5, missing: 0 })
  const kept: string[] = []
  await restoreInto(to, copies, archive, { storeSecret: async (text) => void kept.push(text) })
  expect(await allRows(to)).toEqual(await allRows(from))
  expect(await findInconsistencies(to)).toEqual([])
  expect(await sampleFiles(copies)).toEqual(await sampleFiles(files))
  expect(kept).toEqual([secret.text])
})

test('a secret of the environment is not in the archive', { tags: ['long'] }, async () => {
  const archive = bench.archive()
  const secret = { text: 'a secret of the environment, long enough', ofFile: false }
  const [from, to, files] = [await bench.filled(), await bench.empty(), await bench.files()]
  await backUpFrom(from, files, archive, { secret })
  const kept: string[] = []
  await restoreInto(to, files, archive, { storeSecret: async (text) => void kept.push(text) })
  expect(kept).toEqual([])
})

test('queued jobs run once after the restore', { tags: ['long'] }, async () => {
  const [from, to, files, archive] = [
    await bench.filled(),
    await bench.empty(),
    await bench.files(),
    bench.archive(),
  ]
  const pace = { pollSeconds: 1, retrySeconds: 1, longestPauseSeconds: 1 }
  const source = connect(from, log)
  const jobs = createJobs<string>({ db: source.db, log }, pace)
  const queue = await jobs.queue<{ to: string }>('emails', () => Promise.reject(new Error('no server')))
  await source.db.transaction().execute((trx) => queue.add(trx, { to: 'Žofie' }))
  expect(await backUpFrom(from, files, archive)).toMatchObject({ jobs: 1 })
  await jobs.stop()
  await source.close()

  expect(await restoreInto(to, files, archive)).toMatchObject({ jobs: 1 })
  const target = connect(to, log)
  const done: unknown[] = []
  const again = createJobs<string>({ db: target.db, log }, pace)
  await again.queue('emails', async (data) => void done.push(data))
  await expect.poll(() => done).toEqual([{ to: 'Žofie' }])
  await again.stop()
  await target.close()
})

test('a restored queue has the policy with which the server creates it', { tags: ['long'] }, async () => {
  const [from, to, files, archive] = [
    await bench.filled(),
    await bench.empty(),
    await bench.files(),
    bench.archive(),
  ]
  const source = connect(from, log)
  const jobs = createJobs<string>({ db: source.db, log })
  const queue = await jobs.queue<object>('entry-renderings', async () => {})
  await jobs.stop()
  await source.db.transaction().execute((trx) => queue.add(trx, {}))
  const policies = `select name, policy from jobs.queue where name = 'entry-renderings'
    union all select name, policy from jobs.job where name = 'entry-renderings'`
  const { rows: before } = await source.pool.query(policies)
  await source.close()
  await backUpFrom(from, files, archive)

  await restoreInto(to, files, archive)
  const { rows: after } = await onServer(to, (client) => client.query(policies))
  expect(after).toEqual(before)
  expect(after).toHaveLength(2)
})

test('an archive is readable only by its owner and never overwrites another file', async () => {
  const [from, files, archive] = [await bench.filled(), await bench.files(), bench.archive()]
  await backUpFrom(from, files, archive)
  expect((await stat(archive)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
  const bytes = await readFile(archive)
  await expect(backUpFrom(from, files, archive)).rejects.toThrow(`${archive} is there already`)
  expect((await readFile(archive)).equals(bytes)).toBe(true)
})

test('a backup that is stopped or fails leaves no file', async () => {
  const [from, files] = [await bench.filled(), await bench.files()]
  const before = await readdir(bench.folder)
  const stop = new AbortController()
  const reason = new CannotStart('Stopped.')
  const stopping = {
    ...files,
    read: async () => {
      stop.abort(reason)
      return null
    },
  }
  await expect(backUpFrom(from, stopping, bench.archive(), { stop: stop.signal })).rejects.toBe(reason)
  const failing = { ...files, read: () => Promise.reject(new Error('the bucket is away')) }
  await expect(backUpFrom(from, failing, bench.archive())).rejects.toThrow(
    /^The file images\/.+ could not be read: the bucket is away\.$/,
  )
  expect(await readdir(bench.folder)).toEqual(before)
})

test('a folder that is missing and a database without Milepost are refused in one sentence', async () => {
  const [empty, files] = [await bench.empty(), await bench.files()]
  const nowhere = path.join(bench.folder, 'nowhere/archive')
  await expect(backUpFrom(empty, files, nowhere)).rejects.toThrow('or its folder is missing')
  await expect(backUpFrom(empty, files, bench.archive())).rejects.toThrow('There is no Milepost')
})

test('the connection of a backup has no time limits, and is kept alive while it is idle', async () => {
  const config = await bench.empty()
  const names = await setTimeLimits(config)
  const setKeepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
  const stop = new AbortController().signal
  const { rows } = await onConnection({ config, stop }, 'milepost backup', (client) =>
    client.query(TIME_LIMITS_QUERY),
  )
  expect(rows).toEqual(names.map((name) => ({ name, setting: '0' })))
  expect(setKeepAlive.mock.calls).toEqual([[true, 60_000]])
  setKeepAlive.mockRestore()
})

test('a concurrent second backup of the same database is refused', { tags: ['long'] }, async () => {
  const [from, files] = [await bench.filled(), await bench.files()]
  await onServer(from, async (client) => {
    await client.query('select pg_advisory_lock($1, $2)', [...BACKUP_LOCK])
    await expect(backUpFrom(from, files, bench.archive())).rejects.toThrow(
      'Another backup of this database runs',
    )
  })
})

test('missing files are counted and do not prevent the backup of the others', async () => {
  const [from, files, archive] = [await bench.filled(), await bench.files(), bench.archive()]
  expect(await backUpFrom(from, files, archive)).toMatchObject({
    files: 0,
    missing: 5,
    missingKeys: expect.arrayContaining([expect.stringMatching(/^images\//)]),
  })
  expect((await stat(archive)).size).toBeGreaterThan(0)
})
