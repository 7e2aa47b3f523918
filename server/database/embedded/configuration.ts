import { rename } from 'node:fs/promises'
import { writeDraft } from '#server/private-file.ts'
import type { Listening } from './listening.ts'
import { CONFIGURATION, inCluster, type Place } from './place.ts'

/** Connections beside the pool's: ownership, live events, jobs, PostgreSQL's own reserve. */
const SPARE_CONNECTIONS = 25

/** Rewrites Milepost's settings of the server, before each start of it. */
export async function writeConfiguration(
  place: Place,
  listening: Listening,
  poolSize: number,
): Promise<void> {
  const file = inCluster(place, CONFIGURATION)
  await rename(await writeDraft(file, configuration(listening, poolSize), place.user), file)
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
    // A file a weekday, begun anew each week; nothing that a client can cause at will is written to them.
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
