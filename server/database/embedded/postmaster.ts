import { readdir, readFile, readlink, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { CannotStart, diskFull } from '#server/cannot-start.ts'
import { writeDraft } from '#server/private-file.ts'
import { chooseListening, discardListening, type Listening, writeConfiguration } from './configuration.ts'
import { CLUSTER, type Instance, inCluster } from './data-directory.ts'
import { run } from './processes.ts'

/** The processes of a killed server need a moment to notice. Until then their shared memory or lock blocks a start. */
const START_TIMEOUT_MS = 20_000
const PASSES_BY_ITSELF = /shared memory|lock file|stopped right after/

/** Starts the server, or finds the one that a killed Milepost left running. Returns where it listens. */
export async function ensureRunning(instance: Instance, poolSize: number): Promise<Listening> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const before = await findServer(instance)
    if (before?.runs && !before.isElsewhere) return before.listening
    // It listens, and writes its logs, where the folder was before somebody moved it.
    if (before?.runs) await stopServer(instance)
    const failure = await start(instance, poolSize, before?.listening)
    const after = await findServer(instance)
    if (after?.runs) return after.listening
    const reason = failure ?? 'it stopped right after its start'
    if (!PASSES_BY_ITSELF.test(reason) || Date.now() > deadline) throw doesNotStart(instance, reason)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Shuts the server down. Open transactions are rolled back; everything committed is on disk. */
export async function stopServer(instance: Instance): Promise<void> {
  const server = await findServer(instance)
  if (!server?.runs) return
  const outcome = await pgCtl(instance, 'stop', '-m', 'fast', '-w', '-t', '60')
  if (outcome.code !== 0 && (await findServer(instance))?.runs)
    throw new Error(`the database did not stop: ${lastError(outcome.output)}`)
  await discardListening(server.listening)
}

const pgCtl = (instance: Instance, command: string, ...options: string[]) =>
  run(instance.binaries.pg_ctl, [command, '-D', CLUSTER, ...options], {
    as: instance.user,
    cwd: instance.directory,
  })

type FoundServer = {
  runs: boolean
  listening: Listening
  /** Whether its folder had another path when it started. */
  isElsewhere: boolean
}

/** Returns the server that last wrote its process id, and whether it is still running. */
async function findServer(instance: Instance): Promise<FoundServer | undefined> {
  const file = await readPidFile(instance)
  if (!file) return undefined
  const { listening } = file
  const isElsewhere = path.resolve(file.directory) !== inCluster(instance)
  if ((await pgCtl(instance, 'status')).code !== 0) return { runs: false, listening, isElsewhere }
  return { runs: !(await isForeign(instance, file.pid)), listening, isElsewhere }
}

/** Tries to start the server; returns the reason if it fails. */
async function start(
  instance: Instance,
  poolSize: number,
  former: Listening | undefined,
): Promise<string | undefined> {
  const listening = await chooseListening(instance, former)
  await writeConfiguration(instance, listening, poolSize)
  await disownForeignLocks(instance, listening)
  await rm(path.join(instance.directory, START_LOG), { force: true })
  const outcome = await pgCtl(instance, 'start', '-w', '-t', '600', '-l', START_LOG)
  if (outcome.code === 0) return undefined
  return (await startupError(instance)) ?? lastError(outcome.output)
}

function doesNotStart({ directory }: Instance, reason: string) {
  if (reason === DISK_FULL) return diskFull(directory)
  return new CannotStart(
    `The database in ${directory} does not start; PostgreSQL says: ${reason} (see start.log and log/ there).`,
  )
}

/** The content of a server's pid file. */
type PidFile = { pid: number; directory: string; listening: Listening }

/** Reads `postmaster.pid`: process id, data directory, start time, port, socket directory, host. */
async function readPidFile(instance: Instance): Promise<PidFile | undefined> {
  const text = await readIfThere(pathOf(instance))
  const [pid, directory = '', , port, socketFolder] = text.split('\n')
  if (!pid || !port) return undefined
  const listening = socketFolder ? { socketFolder, port: Number(port) } : { loopbackPort: Number(port) }
  return { pid: Number(pid), directory, listening }
}

/**
 * Returns whether a process is another program than the server of this directory: a restarted machine or container assigns the
 * same ids again, and a dead server may remain a zombie for a long time. Can only be determined on systems with /proc.
 */
async function isForeign(instance: Instance, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    return path.resolve(await readlink(`/proc/${pid}/cwd`)) !== inCluster(instance)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

/**
 * Replaces a foreign process id in the server's two lock files by one that no system assigns. PostgreSQL then considers them
 * stale, but still checks whether their shared memory is in use.
 */
async function disownForeignLocks(instance: Instance, listening: Listening): Promise<void> {
  const locks = [pathOf(instance)]
  if ('socketFolder' in listening)
    locks.push(path.join(listening.socketFolder, `.s.PGSQL.${listening.port}.lock`))
  for (const lock of locks) {
    const [pid, ...rest] = (await readIfThere(lock)).split('\n')
    if (!pid || !(await isForeign(instance, Number(pid)))) continue
    await rename(await writeDraft(lock, ['4194304', ...rest].join('\n'), instance.user), lock)
  }
}

const pathOf = (instance: Instance) => inCluster(instance, 'postmaster.pid')

const readIfThere = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

/** The server's output before it opens its own logs. */
const START_LOG = 'start.log'

/** The reason for a full disk. */
export const DISK_FULL = 'no space is left on the disk'

const NO_SPACE = /No space left on device|Check free disk space/
const ERROR_LINE = /(FATAL|PANIC|ERROR|error):/

/** Returns the last error line of a PostgreSQL program's output, or its last line. */
export function lastError(output: string): string {
  if (NO_SPACE.test(output)) return DISK_FULL
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line = lines.findLast((candidate) => ERROR_LINE.test(candidate)) ?? lines.at(-1) ?? 'nothing'
  return line.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, '').replace(/\.$/, '')
}

/** Returns why the server's last start failed, from the logs: first the start log, then the server's own. */
async function startupError({ directory }: Instance): Promise<string | undefined> {
  const said = await readFile(path.join(directory, START_LOG), 'utf8').catch(() => '')
  if (ERROR_LINE.test(said)) return lastError(said)
  const folder = path.join(directory, 'log')
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  const [lastStart] = texts
    .flatMap((text) => text.split(/(?=^.*starting PostgreSQL)/m))
    .toSorted()
    .toReversed()
  return lastStart && ERROR_LINE.test(lastStart) ? lastError(lastStart) : undefined
}
