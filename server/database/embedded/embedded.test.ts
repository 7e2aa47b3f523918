import { execFile } from 'node:child_process'
import { chmod, chown, lstat, mkdir, realpath, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { listOutside, removeOutside } from './outside.ts'
import { findNamingLibrary } from './rights.ts'
import { cleanUp, killServer, open, prepareDatabase, query, startWriter, temporaryFolder } from './testing.ts'

const run = promisify(execFile)

const asRoot = process.getuid?.() === 0

let prepared: Awaited<ReturnType<typeof prepareDatabase>>
beforeAll(async () => {
  prepared = await prepareDatabase()
})
afterAll(() => prepared.remove())
afterEach(cleanUp)

test('a folder in use by another living process is refused in one sentence', { tags: ['long'] }, async () => {
  const folder = await prepared.preparedFolder()
  const writer = await startWriter(folder)
  await expect(open(folder)).rejects.toThrow(
    `The data folder ${folder} is in use by another running Milepost`,
  )
  expect(writer.written.length).toBeGreaterThan(0)
  await writer.kill()
})

test('the server listens only on a private socket, writes reach the disk, and the role is not a superuser', async () => {
  const folder = await prepared.preparedFolder()
  const server = await open(folder)
  const [row] = await query(
    server,
    `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as pages, current_setting('data_checksums') as checksums,
      current_setting('is_superuser') as superuser, current_setting('TimeZone') as zone`,
  )
  expect(row).toEqual({
    addresses: '',
    fsync: 'on',
    pages: 'on',
    checksums: 'on',
    superuser: 'off',
    zone: 'UTC',
  })
  expect((await stat(path.join(folder, 'postgres'))).mode & 0o777).toBe(0o700)
  expect((await stat(path.join(folder, 'postgres/password'))).mode & 0o777).toBe(0o600)
  const wrong = { ...server, connection: { ...server.connection, password: 'wrong' } }
  await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed')
})

test('variables that lead programs to another PostgreSQL have no effect', async () => {
  const folder = await prepared.preparedFolder()
  for (const [name, value] of Object.entries({
    PGSSLMODE: 'require',
    PGOPTIONS: '-c nothing=here',
    PGPORT: '1',
    PGUSER: 'ada',
  }))
    vi.stubEnv(name, value)
  const server = await open(folder)
  await expect(query(server, 'select current_user as name')).resolves.toEqual([{ name: 'milepost' }])
  vi.unstubAllEnvs()
})

test('a database that others got access to, or that was given to root, is opened and private again', async () => {
  const folder = await prepared.preparedFolder()
  const directory = path.join(folder, 'postgres')
  await run('chmod', ['-R', 'a+rwX,g+s', directory])
  if (asRoot) await run('chown', ['-R', '0:0', directory])
  const messages: string[] = []
  await expect(query(await open(folder, messages), 'select 1 as one')).resolves.toEqual([{ one: 1 }])
  expect(messages).toContain('other users had access to the database; it was taken from them')
  for (const [name, mode] of [
    ['', 0o700],
    ['cluster', 0o700],
    ['password', 0o600],
  ] as const)
    expect((await stat(path.join(directory, name))).mode & 0o777).toBe(mode)
})

test.runIf(asRoot && (await findNamingLibrary()))(
  'a user without a name gets a database, and another one is told whose it is',
  { tags: ['long'] },
  async () => {
    const folder = await temporaryFolder()
    await chown(folder, 54_321, 0)
    const writer = await startWriter(folder, 54_321)
    expect((await stat(path.join(folder, 'postgres/cluster'))).uid).toBe(54_321)
    await writer.kill()
    await killServer(folder)
    await run('chmod', ['-R', '777', folder])
    await expect(startWriter(folder, 54_322)).rejects.toThrow(
      `belongs to user 54321, but Milepost runs as user 54322`,
    )
  },
)

test('a data folder that is a file is refused in one sentence', async () => {
  const file = path.join(await temporaryFolder(), 'data')
  await writeFile(file, '')
  await expect(open(file)).rejects.toThrow(`${file} is a file, not a folder`)
})

test.skipIf(asRoot)('a data folder that is not writable is refused in one sentence', async () => {
  const folder = await temporaryFolder()
  await chmod(folder, 0o500)
  await expect(open(path.join(folder, 'data'))).rejects.toThrow('Milepost may not read and write in')
  await chmod(folder, 0o700)
})

test.runIf(asRoot)(
  'the database is outside of a data folder that only root can access, behind a link',
  { tags: ['long'] },
  async () => {
    const folder = await temporaryFolder()
    await mkdir(path.join(folder, 'closed'), { mode: 0o700 })
    const dataDir = path.join(folder, 'closed')
    const messages: string[] = []
    const server = await open(dataDir, messages)
    expect((await lstat(path.join(dataDir, 'postgres'))).isSymbolicLink()).toBe(true)
    const directory = await realpath(path.join(dataDir, 'postgres'))
    expect(messages[0]).toContain(`The database is in ${directory}, outside of ${dataDir}`)
    expect((await stat(directory)).uid).not.toBe(0)
    const name = path.basename(directory)
    const found = (await listOutside()).find((database) => database.name === name)
    expect(found).toMatchObject({ isRunning: true, dataFolders: [{ dataDir, isLinked: true }] })
    await expect(removeOutside(name)).rejects.toThrow(`${directory} is running`)
    await query(server, 'create table kept (number integer)')
    await server.stop()
    await expect(query(await open(dataDir), 'select * from kept')).resolves.toEqual([])
  },
)
