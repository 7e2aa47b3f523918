import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { CannotStart } from '#server/cannot-start.ts'
import type { Owner } from '#server/private-file.ts'

/** The account that runs PostgreSQL if Milepost runs as root. */
export type ServerUser = Owner

type Options = {
  as?: ServerUser
  cwd: string
  input?: string
  /** Variables besides the minimal environment. */
  env?: Record<string, string>
}

/**
 * Runs a program to its end and joins its two outputs. It gets a minimal environment: PG* variables would affect
 * PostgreSQL's programs, and a server that outlives this process should not have its secrets. It leads its own session, so
 * that Ctrl-C in a terminal reaches only Milepost.
 */
export function run(program: string, args: string[], { as, cwd, input, env }: Options) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, {
      ...as,
      cwd,
      env: { ...environment(), ...env },
      detached: true,
      windowsHide: true,
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
    child.stdin.on('error', () => child.stdin.destroy())
    child.stdin.end(input)
  })
}

function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'SystemRoot', 'SystemDrive', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA']
  const inherited = kept.filter((name) => process.env[name] !== undefined)
  return { ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])), LC_ALL: 'C', TZ: 'UTC' }
}

/** Returns whether a process with this id is alive, ours or another user's. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Returns the user that runs PostgreSQL, which refuses to run as root: the current user or, for root, the owner of the
 * existing database, otherwise the user `postgres`, otherwise a new user `milepost`.
 */
export async function serverUser(directory: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return undefined
  return (
    (await ownerOf(directory)) ??
    (await lookUp('postgres')) ??
    (await lookUp('milepost')) ??
    (await create('milepost'))
  )
}

async function ownerOf(directory: string): Promise<ServerUser> {
  const found = await stat(directory).catch(() => undefined)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

async function lookUp(name: string): Promise<ServerUser> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name], { cwd: '/' })))
  return uid?.code === 0 && gid?.code === 0 ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined
}

async function create(name: string): Promise<ServerUser> {
  const ways: [string, string[]][] = [
    [
      'useradd',
      ['--system', '--user-group', '--no-create-home', '--home-dir', '/', '--shell', '/bin/false', name],
    ],
    ['adduser', ['-S', '-D', '-H', '-s', '/bin/false', name]],
  ]
  for (const [program, args] of ways) {
    const outcome = await run(program, args, { cwd: '/' }).catch(() => undefined)
    const user = outcome?.code === 0 ? await lookUp(name) : undefined
    if (user) return user
  }
  throw new CannotStart(
    `PostgreSQL refuses to run as root and the user "${name}" could not be made for it: make that user, start Milepost as an ordinary user, or set DATABASE_URL.`,
  )
}
