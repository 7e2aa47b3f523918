import { readFile, truncate, writeFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { connect } from '#server/database/connect.ts'
import { allRows, findInconsistencies } from '#server/database/testing-contents.ts'
import { levels } from '#server/database/testing-samples.ts'
import { onServer } from '#server/database/testing-setup.ts'
import type { Files } from '#server/platform/storage/files.ts'
import { FORMAT, type Manifest, part } from './archive-format.ts'
import { createArchive } from './archive-writer.ts'
import { backUpFrom, backupFixture, putSampleFiles, restoreInto, sampleFiles } from './testing.ts'

let bench: Awaited<ReturnType<typeof backupFixture>>
let archive: string
let files: Files
beforeAll(async () => {
  bench = await backupFixture()
  archive = bench.archive()
  files = await bench.files()
  await putSampleFiles(files)
  await backUpFrom(await bench.filled(), files, archive)
})
afterAll(() => bench.close())

test('a truncated archive is refused before anything is written', async () => {
  const [to, copies, whole] = [await bench.empty(), await bench.files(), await readFile(archive)]
  for (const share of [0, 0.001, 0.3, 0.7, 0.99, 1]) {
    const cut = bench.archive()
    await writeFile(cut, whole)
    await truncate(cut, Math.min(Math.floor(whole.length * share), whole.length - 1))
    await expect(restoreInto(to, copies, cut)).rejects.toThrow(`${cut} is no whole archive`)
  }
  expect(await allRows(to)).toEqual({})
  expect(await sampleFiles(copies)).toEqual([null, null, null, null, null])
})

/** The number of positions at which the archive is changed. Each requires unpacking it once. */
const CHANGES = process.env.MILEPOST_TESTS === 'all' ? 25 : 4

test('a modified archive is refused before anything is written', async () => {
  const [to, whole] = [await bench.empty(), await readFile(archive)]
  for (let at = 20; at < whole.length; at += Math.ceil(whole.length / CHANGES)) {
    const changed = bench.archive()
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at)
    await writeFile(changed, bytes)
    await expect(restoreInto(to, files, changed)).rejects.toBeInstanceOf(CannotStart)
  }
  expect(await allRows(to)).toEqual({})
})

test('a file that is not an archive is refused in one sentence', async () => {
  const other = bench.archive()
  await writeFile(other, 'Dear diary')
  const to = await bench.empty()
  await expect(restoreInto(to, files, other)).rejects.toThrow('it was cut, damaged or never one')
  await expect(restoreInto(to, files, bench.folder)).rejects.toThrow('is a folder')
  await expect(restoreInto(to, files, `${other}.gone`)).rejects.toThrow(`There is no ${other}.gone`)
})

test.each([
  ['form', { format: FORMAT + 1 }, 'its form is 3'],
  ['schema', { migration: '9999_future' }, 'it has the change "9999_future"'],
])('an archive of a newer %s is refused in one sentence', async (_, instead, why) => {
  const newer = bench.archive()
  const manifest: Manifest = {
    format: FORMAT,
    milepost: '7.0.0',
    migration: levels[0] ?? '',
    postgresql: '19',
    madeAt: new Date().toISOString(),
    tables: [],
    queues: [],
    ...instead,
  }
  const writing = await createArchive(newer)
  await writing.add(part.manifest, Buffer.from(JSON.stringify(manifest)))
  await writing.finish({ rows: {}, jobs: 0, files: 0 })
  await expect(restoreInto(await bench.empty(), files, newer)).rejects.toThrow(
    `The archive was made by a newer Milepost, 7.0.0 (${why})`,
  )
})

test('a database with accounts is refused and remains unchanged', async () => {
  const to = await bench.filled(levels[2])
  const before = await allRows(to)
  await expect(restoreInto(to, files, archive)).rejects.toThrow('There are people in this database')
  expect(await allRows(to)).toEqual(before)
})

test('a restore that fails does not change the token secret', { tags: ['long'] }, async () => {
  const [from, to, copies, withSecret] = [
    await bench.filled(),
    await bench.empty(),
    await bench.files(),
    bench.archive(),
  ]
  const secret = { text: 'a secret of the data folder, long enough', ofFile: true }
  await backUpFrom(from, files, withSecret, { secret })
  const storeSecret = vi.fn<(text: string) => Promise<void>>(async () => undefined)
  const broken = { ...copies, put: () => Promise.reject(new Error('no room')) }
  await expect(restoreInto(to, broken, withSecret, { storeSecret })).rejects.toThrow('no room')
  expect(storeSecret).not.toHaveBeenCalled()
})

test('a restore that cannot store the token secret writes no rows', { tags: ['long'] }, async () => {
  const [from, to, withSecret] = [await bench.filled(), await bench.empty(), bench.archive()]
  const secret = { text: 'a secret of the data folder, long enough', ofFile: true }
  await backUpFrom(from, files, withSecret, { secret })
  const storeSecret = () => Promise.reject(new CannotStart('The disk is read-only.'))
  await expect(restoreInto(to, await bench.files(), withSecret, { storeSecret })).rejects.toThrow('read-only')
  expect(Object.values(await allRows(to)).flat()).toEqual([])
})

test('a database on which a Milepost runs is refused', async () => {
  const to = await bench.empty()
  const running = connect(to, pino({ level: 'silent' }))
  await running.pool.query('select 1')
  // A connection that has just ended may linger for some seconds, which pass instantly here.
  let seconds = 0
  vi.spyOn(Date, 'now').mockImplementation(() => (seconds += 1) * 1_000)
  await expect(restoreInto(to, files, archive)).rejects.toThrow('A Milepost runs on this database')
  vi.mocked(Date.now).mockRestore()
  await running.close()
})

test('sort keys that the other database server computed differently are computed again', {
  tags: ['long'],
}, async () => {
  const [from, to, folded] = [await bench.filled(), await bench.empty(), bench.archive()]
  await onServer(from, (client) => client.query(`update entry_tags set title_key = 'folded otherwise'`))
  await backUpFrom(from, files, folded)
  await restoreInto(to, await bench.files(), folded)
  expect(await findInconsistencies(to)).toEqual([])
})
