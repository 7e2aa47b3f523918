import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { pino } from 'pino'
import { testFolder } from '#server/database/testing-setup.ts'
import { type EmbeddedDatabase, openEmbedded } from './open.ts'

const run = promisify(execFile)

const opened: { server: EmbeddedDatabase; dataDir: string }[] = []
const folders: string[] = []

/** Creates a temporary directory that other users can traverse. `cleanUp` removes it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await testFolder()
  folders.push(folder)
  return folder
}

/** Creates the database that `preparedFolder` copies, because creating one takes most of the time of a test. */
export async function prepareDatabase(): Promise<{
  preparedFolder: () => Promise<string>
  remove: () => Promise<void>
}> {
  const source = await testFolder()
  await (await open(source)).stop()
  opened.pop()
  return {
    /** Returns a temporary directory with a database that was created, stopped and never written to. */
    async preparedFolder() {
      const folder = await temporaryFolder()
      await run('cp', ['-a', path.join(source, 'postgres'), folder])
      return folder
    },
    remove: () => rm(source, { recursive: true, force: true }),
  }
}

/** Opens the database of a directory in this process. `cleanUp` stops it. */
export async function open(dataDir: string, messages: string[] = []): Promise<EmbeddedDatabase> {
  const log = pino(
    { level: 'info' },
    { write: (line) => messages.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const lost = (error: unknown) => messages.push(`lost: ${String(error)}`)
  const server = await openEmbedded({
    dataDir,
    poolSize: 5,
    log,
    progress: (text) => messages.push(text),
    lost,
  })
  opened.push({ server, dataDir })
  return server
}

/** Stops what the tests of a file opened, and removes their directories with the targets of their links. */
export async function cleanUp(): Promise<void> {
  const done = opened.splice(0)
  // All of them first, because a directory may have been opened twice.
  for (const { server } of done) await server.stop()
  for (const { dataDir } of done) {
    const directory = await realpath(path.join(dataDir, 'postgres')).catch(() => dataDir)
    await rm(directory, { recursive: true, force: true })
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
}

/** Runs a query on its own connection. */
export async function query<Row extends object>(server: EmbeddedDatabase, sql: string): Promise<Row[]> {
  const client = new Client(server.connection)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Returns the process id of a directory's server. */
export async function postmaster(dataDir: string): Promise<number> {
  const text = await readFile(path.join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

/**
 * Starts another process that inserts rows, as the user `uid` if given; resolves once it does, with the rows acknowledged so
 * far. Rejects with its output if it ends before.
 */
export async function startWriter(dataDir: string, uid?: number) {
  const script = path.join(import.meta.dirname, 'testing-writer.ts')
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: 0 }),
  })
  const written: number[] = []
  const lines = createInterface(child.stdout)
  const failed = text(child.stderr).then((output) => Promise.reject(new Error(output)))
  await Promise.race([once(lines, 'line'), failed])
  failed.catch(() => undefined)
  lines.on('line', (line) => written.push(Number(line)))
  const kill = async () => {
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }
  return { written, kill }
}

/** Kills a server and all its processes immediately. */
export async function killServer(dataDir: string): Promise<void> {
  const parent = await postmaster(dataDir)
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const processes = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const children = processes.filter(([, ppid]) => ppid === parent).map(([pid]) => pid)
  for (const pid of [parent, ...children]) killIfThere(pid ?? parent)
}

function killIfThere(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
