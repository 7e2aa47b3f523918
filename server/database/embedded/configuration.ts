import { chown, lstat, mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeDraft } from '#server/private-file.ts'
import { CONFIGURATION, type Instance, inCluster } from './data-directory.ts'

/** The server listens on a Unix socket in a directory or, on Windows, on a loopback port. */
export type Listening = { socketFolder: string; port: number } | { loopbackPort: number }

const PORT = 5432
const OWN_FOLDER = 'milepost-socket-'

/** The shortest limit of socket paths among systems is 104 bytes, including the terminating zero. */
const LONGEST_SOCKET_PATH = 99

/**
 * Chooses the socket's directory: the database's directory if its path is short and plain, otherwise a temporary one. `former`
 * is where a server that has ended listened. It is reused if it still exists, so that a connection pool survives a crash of
 * the server.
 */
export async function chooseListening(instance: Instance, former: Listening | undefined): Promise<Listening> {
  if (process.platform === 'win32') return { loopbackPort: await freePort(former) }
  if (fits(instance.directory)) return { socketFolder: instance.directory, port: PORT }
  if (former && (await isOwnFolder(instance, former))) return former
  const parent = fits(path.join(tmpdir(), `${OWN_FOLDER}123456`)) ? tmpdir() : '/tmp'
  const socketFolder = await mkdtemp(path.join(parent, OWN_FOLDER))
  if (instance.user) await chown(socketFolder, instance.user.uid, instance.user.gid)
  return { socketFolder, port: PORT }
}

/** Removes the temporary directory of a stopped server. */
export async function discardListening(listening: Listening): Promise<void> {
  if (isTemporary(listening)) await rm(listening.socketFolder, { recursive: true, force: true })
}

function isTemporary(listening: Listening): listening is { socketFolder: string; port: number } {
  return 'socketFolder' in listening && path.basename(listening.socketFolder).startsWith(OWN_FOLDER)
}

async function isOwnFolder(instance: Instance, listening: Listening): Promise<boolean> {
  if (!isTemporary(listening)) return false
  const found = await lstat(listening.socketFolder).catch(() => undefined)
  const owner = instance.user?.uid ?? process.getuid?.()
  return found !== undefined && found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0
}

function fits(folder: string): boolean {
  const socket = path.join(folder, `.s.PGSQL.${PORT}`)
  return Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH && /^[\p{L}\p{N} ./_@+-]+$/u.test(folder)
}

function freePort(former: Listening | undefined): Promise<number> {
  const wanted = former && 'loopbackPort' in former ? former.loopbackPort : 0
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort(undefined))))
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : wanted
      probe.close(() => resolve(port))
    })
  })
}

/** Connections besides the pool's: ownership, live events, jobs, and PostgreSQL's own reserve. */
const SPARE_CONNECTIONS = 25

/** Writes Milepost's server settings before each start of the server. */
export async function writeConfiguration(
  instance: Instance,
  listening: Listening,
  poolSize: number,
): Promise<void> {
  const file = inCluster(instance, CONFIGURATION)
  await rename(await writeDraft(file, configuration(listening, poolSize), instance.user), file)
}

function configuration(listening: Listening, poolSize: number): string {
  const settings: Record<string, string | number> = {
    ...addresses(listening),
    max_connections: poolSize + SPARE_CONNECTIONS,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    shared_buffers: '64MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    min_wal_size: '64MB',
    max_wal_size: '512MB',
    huge_pages: 'off',
    jit: 'off',
    io_method: 'sync',
    max_worker_processes: 4,
    max_parallel_workers: 2,
    autovacuum_max_workers: 2,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // One file per weekday, truncated each week. Clients cannot cause log messages at will.
    logging_collector: 'on',
    log_directory: '../log',
    log_filename: 'postgresql-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: 0,
    log_truncate_on_rotation: 'on',
    log_min_messages: 'log',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_statement: 'none',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quoted(String(value))}`)
  return [
    '# Written by Milepost at each start; changes belong into postgresql.auto.conf.',
    ...lines,
    '',
  ].join('\n')
}

function addresses(listening: Listening): Record<string, string | number> {
  if ('loopbackPort' in listening)
    return { listen_addresses: '127.0.0.1', port: listening.loopbackPort, unix_socket_directories: '' }
  const folder = `"${listening.socketFolder}"`
  return {
    listen_addresses: '',
    port: listening.port,
    unix_socket_directories: folder,
    unix_socket_permissions: '0700',
  }
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`
