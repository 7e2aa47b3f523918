import { chmod, chown, lstat, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import type { BaseLogger } from 'pino'
import { CannotStart } from '#server/cannot-start.ts'
import type { Binaries } from './binaries.ts'
import { run, type ServerUser } from './processes.ts'

/** One embedded database: its folder, who runs it and with which programs. */
export type Place = { home: string; user: ServerUser; binaries: Binaries }

/**
 * PostgreSQL's own folder within `home`. Its programs are given this name relative to `home`, their working
 * folder: they pass paths on through a shell, where a quote or a dollar sign in a longer one would break.
 */
export const CLUSTER = 'cluster'

/** The file in the cluster that holds Milepost's settings for PostgreSQL. */
export const CONFIGURATION = 'milepost.conf'

/** The database and the role that Milepost works with; the role owns the database and is no superuser. */
export const DATABASE = 'milepost'

/** The absolute path of a file in the cluster. */
export const inCluster = (place: Place, file = '') => path.join(place.home, CLUSTER, file)

/** Where what another user than root must reach lies, when DATA_DIR or the installation is closed to that user. */
export const SYSTEM_FOLDER = '/var/lib/milepost'

/** The folder of the database under the data folder; it may be a link to a place that the server's user can reach. */
export const homeIn = (dataDir: string) => path.join(dataDir, 'postgres')

/** Finds or makes the database's folder, open to the server's user alone, and answers its real path. */
export async function prepareHome(dataDir: string, user: ServerUser, log: BaseLogger): Promise<string> {
  const home = homeIn(dataDir)
  const known = await lstat(home).catch(() => undefined)
  if (!known) await makeHome(dataDir, home, user, log)
  else if (known.isSymbolicLink()) await demandTarget(home)
  const real = await realpath(home)
  if (user && (await stat(real)).uid !== user.uid) await chown(real, user.uid, user.gid)
  if (user && !(await canEnter(real, user)))
    throw new CannotStart(
      `The database in ${real} belongs to user ${user.uid}, who can't reach that folder; give that user the right to pass through the folders above it, or move DATA_DIR.`,
    )
  return real
}

async function makeHome(dataDir: string, home: string, user: ServerUser, log: BaseLogger) {
  if (!user || (await canEnter(dataDir, user))) {
    await mkdir(home, { mode: 0o700, recursive: true })
    return
  }
  await makeSystemFolder()
  const place = await mkdtemp(path.join(SYSTEM_FOLDER, 'database-'))
  try {
    await symlink(place, home)
    log.info(
      { link: home, place },
      'only root can enter the data folder, so the database lies in another place',
    )
  } catch (error) {
    await rm(place, { recursive: true })
    const madeByAnother = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!madeByAnother) throw error
  }
}

/** Makes the folder passable for everybody, whatever root's umask is. */
export async function makeSystemFolder(): Promise<void> {
  await mkdir(SYSTEM_FOLDER, { recursive: true })
  await chmod(SYSTEM_FOLDER, 0o755)
}

async function demandTarget(home: string) {
  await realpath(home).catch((cause: unknown) => {
    throw new CannotStart(
      `${home} links to a folder that is gone; put the database back there, or remove the link to begin with an empty one.`,
      { cause },
    )
  })
}

/** Asks as that user instead of reading mode bits: access lists and mounts have their say too. */
async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { as: user, cwd: '/' })).code === 0
}

/** The file in `home` with the password of the database's roles; it is made with the cluster. */
export const PASSWORD_FILE = 'password'

/** Reads the password of an existing cluster. */
export async function readPassword({ home }: Place): Promise<string> {
  const file = path.join(home, PASSWORD_FILE)
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    throw new CannotStart(`The database's password file ${file} is gone; put it back from a backup.`, {
      cause,
    })
  })
}
