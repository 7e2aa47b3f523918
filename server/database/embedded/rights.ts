import { access, chmod, rm, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import type { BaseLogger } from 'pino'
import { CannotStart } from '#server/cannot-start.ts'
import { writeDraft } from '#server/private-file.ts'
import { type Instance, inCluster, PASSWORD_FILE } from './data-directory.ts'
import { run } from './processes.ts'

/** PostgreSQL refuses a data directory that others than its owner can write, or others than its group can read. */
const TOO_WIDE = 0o027

/**
 * Gives the existing database back to the user that runs it, and takes the rights of all others away, as `chmod -R 777`,
 * `chown -R root` or the `fsGroup` of Kubernetes leave a database that PostgreSQL refuses. Throws CannotStart with the remedy
 * where Milepost may not.
 */
export async function restoreRights(instance: Instance, log: BaseLogger): Promise<void> {
  if (process.platform === 'win32') return
  const cluster = inCluster(instance)
  const found = await stat(cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!found) return
  const uid = instance.user?.uid ?? process.getuid?.()
  if (found.uid !== uid) await takeOver(instance, found.uid, log)
  if ((found.mode & TOO_WIDE) === 0) return
  const folders = [instance.directory, cluster]
  await Promise.all(folders.map((folder) => chmod(folder, 0o700)))
  await chmod(path.join(instance.directory, PASSWORD_FILE), 0o600)
  if (((await stat(cluster)).mode & TOO_WIDE) !== 0)
    throw new CannotStart(
      `The disk that holds ${cluster} does not keep access rights, and PostgreSQL needs a folder that only its own user can read: set DATA_DIR to another disk (in a container: a volume instead of a folder of the host), or set DATABASE_URL.`,
    )
  log.warn({ folder: instance.directory }, 'other users had access to the database; it was taken from them')
}

/** Root can change the owner of the files; anybody else is told who it is. */
async function takeOver({ directory, user }: Instance, owner: number, log: BaseLogger) {
  if (!user)
    throw new CannotStart(
      `The database in ${directory} belongs to user ${owner}, but Milepost runs as user ${process.getuid?.()}: run it as user ${owner} (in a container: --user ${owner}), or give the folder to this user with: chown -R ${process.getuid?.()} ${directory}`,
    )
  await run('chown', ['-R', `${user.uid}:${user.gid}`, directory], { cwd: '/' })
  log.warn({ folder: directory, from: owner, to: user.uid }, 'the database had another owner')
}

/** Where Debian and Fedora install the library that names a user without an entry in /etc/passwd. */
const NAMING_LIBRARIES = [
  `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/libnss_wrapper.so`,
  '/usr/lib64/libnss_wrapper.so',
  '/usr/lib/libnss_wrapper.so',
]

/**
 * Runs `initialise` with the environment in which PostgreSQL finds a name for the current user. It needs one to create a
 * cluster, and an arbitrary user id (`docker run --user 1234`, OpenShift) has none. Throws CannotStart if the library that provides one is not installed.
 */
export async function withNamedUser<Result>(
  { user, directory }: Instance,
  initialise: (environment: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  if (user || process.platform !== 'linux' || hasName()) return initialise({})
  const uid = process.getuid?.()
  const library = await findNamingLibrary()
  if (!library)
    throw new CannotStart(
      `Milepost runs as user ${uid}, who has no name on this system, and PostgreSQL needs one to create the database: add this user to /etc/passwd, install libnss-wrapper, run Milepost as another user, or set DATABASE_URL.`,
    )
  const entry = `milepost:x:${uid}:${process.getgid?.()}::/:/bin/false\n`
  const passwd = await writeDraft(path.join(directory, 'passwd'), entry, undefined)
  try {
    return await initialise({
      LD_PRELOAD: library,
      NSS_WRAPPER_PASSWD: passwd,
      NSS_WRAPPER_GROUP: '/etc/group',
    })
  } finally {
    await rm(passwd)
  }
}

/** Node.js throws if the current user has no entry in /etc/passwd. */
function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR') return false
    throw error
  }
}

/** Returns the path of libnss_wrapper, or undefined where it is not installed. */
export async function findNamingLibrary(): Promise<string | undefined> {
  for (const file of NAMING_LIBRARIES) {
    const found = await access(file).then(
      () => true,
      () => false,
    )
    if (found) return file
  }
  return undefined
}
