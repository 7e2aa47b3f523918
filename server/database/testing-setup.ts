import { appendFile, chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from './embedded/open.ts'
import { isAlive } from './embedded/processes.ts'
import { migrate } from './migrate.ts'

const NOT_OURS_TO_END = '42501'
const STILL_IN_USE = '55006'

declare module 'vitest' {
  interface ProvidedContext {
    /** A connection that may create databases, and the migrated template that tests clone. */
    testServer: { connection: ClientConfig; template: string }
  }
}

type TestServer = { connection: ClientConfig; template: string; stop: () => Promise<void> }

/** Vitest loads this module once for each of its projects. They share the server of the first. */
const shared = globalThis as { testServer?: Promise<TestServer>; testServerUsers?: number }

/** Runs before the tests of each project. Provides a server (TEST_DATABASE_URL or its own) with a migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.testServer ??= openTemplate()
  shared.testServerUsers = (shared.testServerUsers ?? 0) + 1
  const { connection, template, stop } = await shared.testServer
  project.provide('testServer', { connection, template })
  return async () => {
    shared.testServerUsers = (shared.testServerUsers ?? 0) - 1
    if (shared.testServerUsers > 0) return
    delete shared.testServer
    await stop()
  }
}

async function openTemplate(): Promise<TestServer> {
  const { connection, stop } = await openServer()
  const template = `milepost_test_${process.pid}`
  await onServer(connection, (client) => client.query(`create database ${template}`))
  await migrate(inDatabase(connection, template))
  return {
    connection,
    template,
    stop: async () => {
      await onServer(connection, (client) => dropDatabases(client, template))
      await stop()
    },
  }
}

async function openServer() {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { connection: { connectionString: url }, stop: async () => undefined }
  await removeAbandoned()
  const folder = await testFolder()
  const server = await openEmbedded({
    dataDir: folder,
    poolSize: 200,
    log: pino({ level: 'silent' }),
    progress: () => undefined,
    lost: (error) => {
      throw error
    },
  })
  await configureForTests(path.join(folder, 'postgres', 'cluster'))
  await onServer(server.connection, makeSigningInCheap)
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { connection: server.connection, stop }
}

/**
 * Disables fsync, because the data of tests is worthless afterwards, and autovacuum, because a vacuum at a random time changes
 * plans, holds locks and takes a core. Tests that need a vacuum run it.
 */
async function configureForTests(cluster: string) {
  const settings = 'fsync = off\nfull_page_writes = off\nsynchronous_commit = off\nautovacuum = off\n'
  await appendFile(path.join(cluster, 'postgresql.auto.conf'), settings)
  const [pid] = (await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGHUP')
}

/** Each test file opens a dozen connections, and each side of one repeats a hash 4,096 times otherwise. */
async function makeSigningInCheap(client: Client) {
  const [user, password] = [
    client.escapeIdentifier(client.user ?? ''),
    client.escapeLiteral(client.password ?? ''),
  ]
  await client.query('set scram_iterations = 1')
  await client.query(`alter role ${user} password ${password}`)
}

/** Creates a temporary directory that other users, such as PostgreSQL's, can traverse. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `milepost-test-${process.pid}-`))
  await chmod(folder, 0o711)
  return folder
}

/** Removes the leftovers of interrupted tests. A server whose directory was removed exits within a minute. */
async function removeAbandoned() {
  for (const name of await readdir(tmpdir())) {
    const maker = /^milepost-test-(\d+)-/.exec(name)?.[1]
    const folder = path.join(tmpdir(), name)
    if (!maker || isAlive(Number(maker)) || (await stat(folder)).uid !== process.getuid?.()) continue
    await rm(folder, { recursive: true, force: true })
  }
}

async function dropDatabases(client: Client, prefix: string) {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  )
  for (const { datname } of rows) await dropDatabase(client, datname)
}

/** Drops a database and its connections. If PostgreSQL's own vacuum, which we may not end, uses it, retries a little later. */
export async function dropDatabase(client: Client, name: string): Promise<void> {
  for (let attempts = 50; ; attempts -= 1) {
    try {
      await client.query(`drop database ${name} with (force)`)
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if ((code !== NOT_OURS_TO_END && code !== STILL_IN_USE) || attempts === 0) throw error
      await pause(200)
    }
  }
}

/** Runs a task on its own connection. */
export async function onServer<T>(
  connection: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns a connection to another database of the same server. */
export function inDatabase(connection: ClientConfig, database: string): ClientConfig {
  if (!connection.connectionString) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}
