import { spawn } from 'node:child_process'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  cleanUp,
  killServer,
  open,
  postmaster,
  prepareDatabase,
  query,
  startWriter,
  temporaryFolder,
} from './testing.ts'

const asRoot = process.getuid?.() === 0

let prepared: Awaited<ReturnType<typeof prepareDatabase>>
beforeAll(async () => {
  prepared = await prepareDatabase()
})
afterAll(() => prepared.remove())
afterEach(cleanUp)

test('every acknowledged row survives a kill of all processes during writes', async () => {
  const folder = await temporaryFolder()
  const acknowledged: number[] = []
  for (let round = 0; round < 4; round++) {
    const writer = await startWriter(folder)
    await pause(100 + round * 150)
    await Promise.all([writer.kill(), killServer(folder)])
    expect(writer.written.length).toBeGreaterThan(0)
    acknowledged.push(...writer.written)
  }
  const rows = await query<{ number: number }>(await open(folder), 'select number from written')
  const present = new Set(rows.map(({ number }) => number))
  expect(acknowledged.filter((number) => !present.has(number))).toEqual([])
})

test.each([
  ['spaces and quotes', `it's "my $HOME" , data`],
  ['a great length', 'a-folder-with-a-long-name/'.repeat(8)],
])('a path with %s works at the first and the second start', async (_, name) => {
  const folder = path.join(await temporaryFolder(), name)
  for (let round = 0; round < 2; round++) {
    const server = await open(folder)
    await expect(query(server, 'select 1 as one')).resolves.toEqual([{ one: 1 }])
    await server.stop()
  }
})

test('a killed server with a long path restarts at the same path', async () => {
  const folder = path.join(await temporaryFolder(), 'a-folder-with-a-long-name/'.repeat(8))
  const messages: string[] = []
  const server = await open(folder, messages)
  await killServer(folder)
  await vi.waitFor(() => expect(messages).toContain('the database is owned again'), { timeout: 60_000 })
  await expect(query(server, 'select 1 as one')).resolves.toEqual([{ one: 1 }])
})

test('a server that a killed process left running is adopted', async () => {
  const folder = await prepared.preparedFolder()
  const writer = await startWriter(folder)
  const before = await postmaster(folder)
  await writer.kill()
  const server = await open(folder)
  expect(await postmaster(folder)).toBe(before)
  const [row] = await query<{ total: string }>(server, 'select count(*) as total from written')
  expect(Number(row?.total)).toBeGreaterThanOrEqual(writer.written.length)
})

test('a folder that was moved while its server ran opens at its new place', async () => {
  const folder = await prepared.preparedFolder()
  const writer = await startWriter(folder)
  const before = await postmaster(folder)
  await writer.kill()
  const moved = path.join(await temporaryFolder(), 'moved')
  await rename(folder, moved)
  const server = await open(moved)
  expect(await postmaster(moved)).not.toBe(before)
  const [row] = await query<{ total: string }>(server, 'select count(*) as total from written')
  expect(Number(row?.total)).toBeGreaterThanOrEqual(writer.written.length)
})

test('of two processes that start concurrently in an empty folder, one opens the database and one fails', async () => {
  const folder = await temporaryFolder()
  const outcomes = await Promise.allSettled([open(folder), open(folder)])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test("a process id that now is another program's does not pass for the server", async () => {
  const folder = await prepared.preparedFolder()
  const first = await open(folder)
  const file = path.join(folder, 'postgres/cluster/postmaster.pid')
  const text = await readFile(file, 'utf8')
  const { uid, gid } = await stat(file)
  await first.stop()
  const other = spawn('sleep', ['60'], { cwd: '/', ...(asRoot ? { uid, gid } : {}) })
  await writeFile(file, text.replace(/^\d+/, String(other.pid)))
  await expect(query(await open(folder), 'select 1 as one')).resolves.toEqual([{ one: 1 }])
  other.kill()
})

test('a database of another major version is refused in one sentence', async () => {
  const folder = await prepared.preparedFolder()
  await (await open(folder)).stop()
  await writeFile(path.join(folder, 'postgres/cluster/PG_VERSION'), '17\n')
  await expect(open(folder)).rejects.toThrow(
    /was made by PostgreSQL 17 and this Milepost brings PostgreSQL 18/,
  )
})
