import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { CannotStart } from '#server/cannot-start.ts'
import type { Owner } from '#server/private-file.ts'

/** The account that PostgreSQL runs under where Milepost itself is root. */
export type ServerUser = Owner

type Options = { as?: ServerUser; cwd: string; input?: string }

/**
 * Runs a program to its end, its two outputs joined. It gets a small environment of its own: PG* variables
 * would mislead PostgreSQL's programs, and a server that outlives us should not carry our secrets along.
 * It leads a session of its own, so that Ctrl-C in a terminal reaches Milepost alone.
 */
export function run(program: string, args: string[], { as, cwd, input }: Options) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, { ...as, cwd, env: environment(), detached: true, windowsHide: true })
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

/** Whether a process with this id lives, be it ours or another user's. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Who runs PostgreSQL, which refuses to be root: ourselves, or, where we are root, the owner of the existing
 * database, else the user `postgres`, else a user `milepost` that is made for it.
 */
export async function serverUser(home: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return undefined
  return (
    (await ownerOf(home)) ??
    (await lookUp('postgres')) ??
    (await lookUp('milepost')) ??
    (await create('milepost'))
  )
}

async function ownerOf(home: string): Promise<ServerUser> {
  const found = await stat(home).catch(() => undefined)
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
