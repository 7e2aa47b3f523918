import { stat } from 'node:fs/promises'
import { CannotStart } from '#server/cannot-start.ts'
import { run, type ServerUser } from './command.ts'

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
