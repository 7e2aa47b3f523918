import { readFile, readlink, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { CannotStart, diskFull } from '#server/cannot-start.ts'
import { writeDraft } from '#server/private-file.ts'
import { chooseListening, discardListening, type Listening, writeConfiguration } from './configuration.ts'
import { CLUSTER, inCluster, type Place } from './data-directory.ts'
import { run } from './processes.ts'
import { DISK_FULL, lastComplaint, START_LOG, startComplaint } from './startup-errors.ts'

/** Processes of a killed server need a moment to notice; until then their shared memory or lock is in the way. */
const START_PATIENCE = 20_000
const PASSES_BY_ITSELF = /shared memory|lock file|stopped right after/

/** Starts the server, or finds the one that a killed Milepost left running, and answers where it listens. */
export async function ensureRunning(place: Place, poolSize: number): Promise<Listening> {
  const deadline = Date.now() + START_PATIENCE
  for (;;) {
    const before = await findServer(place)
    if (before?.runs) return before.listening
    const refusal = await start(place, poolSize, before?.listening)
    const after = await findServer(place)
    if (after?.runs) return after.listening
    const reason = refusal ?? 'it stopped right after its start'
    if (!PASSES_BY_ITSELF.test(reason) || Date.now() > deadline) throw doesNotStart(place, reason)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Shuts the server down: open transactions are rolled back, everything committed is on disk. */
export async function stopServer(place: Place): Promise<void> {
  const server = await findServer(place)
  if (!server?.runs) return
  const outcome = await pgCtl(place, 'stop', '-m', 'fast', '-w', '-t', '60')
  if (outcome.code !== 0 && (await findServer(place))?.runs)
    throw new Error(`the database did not stop: ${lastComplaint(outcome.output)}`)
  await discardListening(server.listening)
}

const pgCtl = (place: Place, command: string, ...options: string[]) =>
  run(place.binaries.pg_ctl, [command, '-D', CLUSTER, ...options], { as: place.user, cwd: place.home })

/** The server that last wrote its process id, and whether it still runs. */
async function findServer(place: Place): Promise<{ runs: boolean; listening: Listening } | undefined> {
  const file = await readPidFile(place)
  if (!file) return undefined
  const { listening } = file
  if ((await pgCtl(place, 'status')).code !== 0) return { runs: false, listening }
  return { runs: !(await isForeign(place, file.pid)), listening }
}

/** Tries a start; answers the reason where the server refuses. */
async function start(
  place: Place,
  poolSize: number,
  former: Listening | undefined,
): Promise<string | undefined> {
  const listening = await chooseListening(place, former)
  await writeConfiguration(place, listening, poolSize)
  await disownForeignLocks(place, listening)
  await rm(path.join(place.home, START_LOG), { force: true })
  const outcome = await pgCtl(place, 'start', '-w', '-t', '600', '-l', START_LOG)
  if (outcome.code === 0) return undefined
  return (await startComplaint(place)) ?? lastComplaint(outcome.output)
}

function doesNotStart({ home }: Place, reason: string) {
  if (reason === DISK_FULL) return diskFull(home)
  return new CannotStart(
    `The database in ${home} does not start; PostgreSQL says: ${reason} (see start.log and log/ there).`,
  )
}

/** What a server wrote about itself when it started. */
export type PidFile = { pid: number; listening: Listening }

/** Reads `postmaster.pid`: process id, data folder, start time, port, socket folder, address. */
export async function readPidFile(place: Place): Promise<PidFile | undefined> {
  const text = await readIfThere(pathOf(place))
  const [pid, , , port, socketFolder] = text.split('\n')
  if (!pid || !port) return undefined
  const listening = socketFolder ? { socketFolder, port: Number(port) } : { loopbackPort: Number(port) }
  return { pid: Number(pid), listening }
}

/**
 * Whether a process is another program than this place's server: a machine or container that was restarted gives
 * the same numbers out again, and a dead server may wait long to be collected. Told where the system has /proc.
 */
export async function isForeign(place: Place, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    return path.resolve(await readlink(`/proc/${pid}/cwd`)) !== inCluster(place)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

/**
 * Puts a process id that no system gives out into the server's two lock files where theirs is foreign.
 * PostgreSQL then takes them for stale, and still looks whether the shared memory that they name is in use.
 */
export async function disownForeignLocks(place: Place, listening: Listening): Promise<void> {
  const locks = [pathOf(place)]
  if ('socketFolder' in listening)
    locks.push(path.join(listening.socketFolder, `.s.PGSQL.${listening.port}.lock`))
  for (const lock of locks) {
    const [pid, ...rest] = (await readIfThere(lock)).split('\n')
    if (!pid || !(await isForeign(place, Number(pid)))) continue
    await rename(await writeDraft(lock, ['4194304', ...rest].join('\n'), place.user), lock)
  }
}

const pathOf = (place: Place) => inCluster(place, 'postmaster.pid')

const readIfThere = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
