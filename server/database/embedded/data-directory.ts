import { chown, lstat, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import { makeFolder } from '#server/make-folder.ts'
import { type Binaries, makeSystemFolder, SYSTEM_FOLDER } from './binaries.ts'
import { run, type ServerUser } from './processes.ts'

/** An embedded PostgreSQL: its directory, the user that runs it and its programs. */
export type Instance = { directory: string; user: ServerUser; binaries: Binaries }

/**
 * PostgreSQL's data directory within `directory`. Its programs get this relative name and `directory` as working directory,
 * because they pass paths on to a shell, where a quote or a dollar sign in an absolute path would break.
 */
export const CLUSTER = 'cluster'

/** The file in the cluster with Milepost's settings for PostgreSQL. */
export const CONFIGURATION = 'milepost.conf'

/** Milepost's database and its role. The role owns the database and is not a superuser. */
export const DATABASE = 'milepost'

/** Returns the absolute path of a file in the cluster. */
export const inCluster = (instance: Instance, file = '') => path.join(instance.directory, CLUSTER, file)

/** Returns the database's directory in the data directory. It may be a link to one that the server's user can access. */
export const databaseDirectory = (dataDir: string) => path.join(dataDir, 'postgres')

/** How the names of databases begin that are outside of their data folder. */
export const OUTSIDE = 'database-'

/** Finds or creates the database's directory, accessible only to the server's user, and returns its real path. */
export async function prepareDirectory(dataDir: string, user: ServerUser): Promise<string> {
  const directory = databaseDirectory(dataDir)
  const known = await lstat(directory).catch(() => undefined)
  if (!known) await createDirectory(dataDir, directory, user)
  else if (known.isSymbolicLink()) await requireTarget(directory)
  const real = await realpath(directory)
  if (user && (await stat(real)).uid !== user.uid) await chown(real, user.uid, user.gid)
  if (user && !(await canEnter(real, user)))
    throw new CannotStart(
      `The database in ${real} belongs to user ${user.uid}, who can't reach that folder; give that user the right to pass through the folders above it, or move DATA_DIR.`,
    )
  return real
}

async function createDirectory(dataDir: string, directory: string, user: ServerUser) {
  if (!user || (await canEnter(dataDir, user))) {
    await makeFolder(directory, 0o700)
    return
  }
  await makeSystemFolder()
  const target = await mkdtemp(path.join(SYSTEM_FOLDER, OUTSIDE))
  try {
    await symlink(target, directory)
  } catch (error) {
    await rm(target, { recursive: true })
    const madeByAnother = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!madeByAnother) throw error
  }
}

async function requireTarget(directory: string) {
  await realpath(directory).catch((cause: unknown) => {
    throw new CannotStart(
      `${directory} links to a folder that is gone; put the database back there, or remove the link to begin with an empty one.`,
      { cause },
    )
  })
}

/** Tests access as that user instead of reading mode bits, because access lists and mounts count as well. */
async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { as: user, cwd: '/' })).code === 0
}

/** The file in `directory` with the password of the database's roles. It is created with the cluster. */
export const PASSWORD_FILE = 'password'

/** Reads the password of an existing cluster. */
export async function readPassword({ directory }: Instance): Promise<string> {
  const file = path.join(directory, PASSWORD_FILE)
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    throw new CannotStart(`The database's password file ${file} is gone; put it back from a backup.`, {
      cause,
    })
  })
}
