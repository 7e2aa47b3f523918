import { spawn } from 'node:child_process'
import { chown, mkdir, open, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerUser, serverUser } from '#server/database/embedded/processes.ts'
import { registerCleanup, temporaryDirectory } from '#testing/cleanup.ts'

/** A directory whose programs run as an unprivileged user. Everything that runs in it is killed before it is removed. */
export type WorkDirectory = { folder: string; user: ServerUser; remove: () => Promise<void> }

export async function createWorkDirectory(): Promise<WorkDirectory> {
  const { directory, remove } = await temporaryDirectory()
  const user = await serverUser(directory)
  const removeAll = registerCleanup(async () => {
    await signalAll(directory, 'SIGKILL')
    await remove()
  })
  return { folder: directory, user, remove: removeAll }
}

/** Creates a directory, or a file with the given text, that only the unprivileged user can access. */
export async function prepareFile(home: WorkDirectory, name: string, text?: string): Promise<string> {
  const target = path.join(home.folder, name)
  if (text === undefined) await mkdir(target, { mode: 0o700 })
  else await writeFile(target, text, { mode: 0o600 })
  if (home.user) await chown(target, home.user.uid, home.user.gid)
  return target
}

/**
 * Starts a program in a directory, in its own session, so that Ctrl-C reaches only this process, which then cleans up. Its
 * output goes to the file `NAME.log` beside the directory.
 */
export async function startProgram(
  home: WorkDirectory,
  cwd: string,
  program: string,
  args: string[],
): Promise<void> {
  const log = await open(`${cwd}.log`, 'a')
  const env = { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', HOME: cwd }
  const child = spawn(program, args, {
    ...home.user,
    cwd,
    env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  child.unref()
  await log.close()
}

/** Returns the end of a program's output, for error messages. */
export async function outputEnd(cwd: string): Promise<string> {
  const text = await readFile(`${cwd}.log`, 'utf8').catch(() => '')
  return text.split('\n').slice(-12).join('\n')
}

/** Sends a signal to every process that runs in a directory or below it. Repeats SIGKILL until none is left. */
export async function signalAll(folder: string, signal: NodeJS.Signals): Promise<void> {
  for (let pids = await running(folder); pids.length > 0; pids = await running(folder)) {
    for (const pid of pids) send(pid, signal)
    if (signal !== 'SIGKILL') return
    await sleep(20)
  }
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Finds processes by working directory, because PostgreSQL's leave the process tree of their starter. */
async function running(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      // Another user's process, one that has just exited, or a zombie.
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      return cwd === folder || cwd.startsWith(`${folder}/`) ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

const LOWEST_PORT = 20_000
const PORTS = 12_000

/** Returns a free port outside the range of outgoing connections, so that it is still free after a restart. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * PORTS)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((resolve) => probe.close(resolve))
    if (isFree) return port
  }
}
