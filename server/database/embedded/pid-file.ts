import { readFile, readlink, rename } from 'node:fs/promises'
import path from 'node:path'
import { writeDraft } from '#server/private-file.ts'
import type { Listening } from './listening.ts'
import { inCluster, type Place } from './place.ts'

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
