import { rm } from 'node:fs/promises'
import path from 'node:path'
import { CannotStart, diskFull } from '#server/cannot-start.ts'
import { run } from './command.ts'
import { DISK_FULL, lastComplaint, START_LOG, startComplaint } from './complaint.ts'
import { writeConfiguration } from './configuration.ts'
import { chooseListening, discardListening, type Listening } from './listening.ts'
import { disownForeignLocks, isForeign, readPidFile } from './pid-file.ts'
import { CLUSTER, type Place } from './place.ts'

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
