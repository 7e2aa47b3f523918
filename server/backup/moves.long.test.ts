import path from 'node:path'
import type { ClientConfig } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbedded } from '#server/database/embedded/open.ts'
import { cleanUp, temporaryFolder } from '#server/database/embedded/testing.ts'
import { allRows, findInconsistencies } from '#server/database/testing-contents.ts'
import { loadSecrets, replaceSecretFile } from '#server/platform/secrets.ts'
import { openFiles } from '#server/platform/storage/open.ts'
import { testBucket } from '#server/platform/storage/testing.ts'
import { readSettings, type Settings } from '#server/settings.ts'
import { backUpTo, restoreFrom } from './command.ts'
import { backUpFrom, backupFixture, putSampleFiles, sampleFiles } from './testing.ts'

const log = pino({ level: 'silent' })

let bench: Awaited<ReturnType<typeof backupFixture>>
let s3: Awaited<ReturnType<typeof testBucket>>
const messages: string[] = []
beforeAll(async () => {
  bench = await backupFixture()
  s3 = await testBucket()
})
afterAll(async () => {
  await s3.close()
  await bench.close()
  await cleanUp()
})

const depsOf = (settings: Settings) => ({
  settings,
  log,
  say: (text: string) => void messages.push(text),
  stop: new AbortController(),
})

/** Settings of a Milepost that stores everything in one directory. */
async function inFolder(): Promise<Settings> {
  return readSettings({ DATA_DIR: path.join(await temporaryFolder(), 'data') })
}

/** Settings of a Milepost with a database on the test server and files in the bucket. */
async function outside(): Promise<{ settings: Settings; config: ClientConfig }> {
  const config = await bench.empty()
  return {
    config,
    settings: {
      ...(await inFolder()),
      databaseUrl: urlOf(config),
      bucket: s3.settings,
      tokenSecret: 'x'.repeat(40),
    },
  }
}

/** The URL of a server that listens on a socket ends with the socket's directory. */
function urlOf({ connectionString, host = '', port, user, password, database }: ClientConfig): string {
  if (connectionString) return connectionString
  const url = new URL(`postgres://localhost:${port}/${database}`)
  url.username = user ?? ''
  url.password = String(password)
  url.searchParams.set('host', host)
  return url.href
}

/** Runs a task while the embedded database of a directory runs, as under a running Milepost. */
async function withEmbedded<T>(
  settings: Settings,
  work: (connection: ClientConfig) => Promise<T>,
): Promise<T> {
  const lost = (error: unknown) => void messages.push(String(error))
  const server = await openEmbedded({ ...settings, poolSize: 5, log, progress: () => undefined, lost })
  try {
    return await work(server.connection)
  } finally {
    await server.stop()
  }
}

/** The rows of a database, but for when it was backed up. */
async function rowsOf(config: ClientConfig) {
  const { last_backup: _made, ...rows } = await allRows(config)
  return rows
}

const embeddedRows = (settings: Settings, meanwhile = async () => {}) =>
  withEmbedded(settings, async (connection) => {
    await meanwhile()
    expect(await findInconsistencies(connection)).toEqual([])
    return rowsOf(connection)
  })

test('an instance moves from its folder to another PostgreSQL and S3, and back, with equal rows and files', async () => {
  const first = await inFolder()
  const [origin, archives] = [await bench.filled(), [bench.archive(), bench.archive(), bench.archive()]]
  const files = await openFiles(first)
  await putSampleFiles(files)
  await replaceSecretFile(first.dataDir, 'the secret of the first instance, made by chance')
  const secret = { text: 'the secret of the first instance, made by chance', ofFile: true }
  const [start = '', there = '', back = ''] = archives
  await backUpFrom(origin, files, start, { secret })
  await restoreFrom(start, depsOf(first))
  const rows = await rowsOf(origin)

  // Once during a running Milepost, simulated by starting its database.
  expect(await embeddedRows(first, () => backUpTo(there, depsOf(first)))).toEqual(rows)
  const { settings: second, config } = await outside()
  await restoreFrom(there, depsOf(second))
  expect(await rowsOf(config)).toEqual(rows)
  expect(await findInconsistencies(config)).toEqual([])
  expect(await sampleFiles(await openFiles(second))).toEqual(await sampleFiles(files))
  expect((await s3.kept()).length).toBe(5)
  expect(messages.at(-1)).toMatch(/^The token secret is not the one of the archive/)

  await backUpTo(back, depsOf(second))
  const third = await inFolder()
  await restoreFrom(back, depsOf(third))
  expect(await embeddedRows(third)).toEqual(rows)
  expect(await sampleFiles(await openFiles(third))).toEqual(await sampleFiles(files))
})

test('a stopped instance is backed up including its secret, and is stopped afterwards', async () => {
  const [from, to, archive, start] = [await inFolder(), await inFolder(), bench.archive(), bench.archive()]
  await backUpFrom(await bench.filled(), await bench.files(), start)
  await restoreFrom(start, depsOf(from))
  const secrets = await loadSecrets(from)
  await backUpTo(archive, depsOf(from))
  const rows = await embeddedRows(from)
  await restoreFrom(archive, depsOf(to))
  expect(await embeddedRows(to)).toEqual(rows)
  expect((await loadSecrets(to)).current.id).toBe(secrets.current.id)
})

test('a restore is refused while a Milepost runs in the folder, and so is a backup of a folder without one', async () => {
  const [settings, archive] = [await inFolder(), bench.archive()]
  await backUpFrom(await bench.filled(), await bench.files(), archive)
  await expect(backUpTo(bench.archive(), depsOf(settings))).rejects.toThrow('There is no database in')
  await withEmbedded(settings, async () => {
    await expect(restoreFrom(archive, depsOf(settings))).rejects.toThrow(
      'is in use by another running Milepost',
    )
  })
})
