import type { Client } from 'pg'
import type { RunningServer } from '#testing/start-server.ts'
import { costOfEach, cpuMicroseconds } from './row.ts'

/** The processor time of the server and of PostgreSQL, in microseconds. */
export type Cost = { server: number; database: number }

/** A server, and a connection to its database. */
export type Side = { server: Pick<RunningServer, 'url' | 'pid'>; database: Client }

/** Returns the CPU time of the server and of PostgreSQL's processes for each of `count` pieces of work, in microseconds. */
export async function costOfBoth(
  { server, database }: Side,
  count: number,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const before = await cpuOfConnections(database)
  const ofServer = await costOfEach(server.pid, count, work)
  const after = await cpuOfConnections(database)
  const used = [...after].map(([pid, microseconds]) => microseconds - (before.get(pid) ?? 0))
  return { server: ofServer, database: used.reduce((sum, one) => sum + one, 0) / count }
}

/** Returns the CPU time of each process that serves a connection of Milepost, in microseconds. */
async function cpuOfConnections(database: Client): Promise<Map<number, number>> {
  const { rows } = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name like 'milepost%' and datname = current_database()`,
  )
  const used = new Map<number, number>()
  for (const { pid } of rows) {
    // An idle connection may just have been closed.
    const microseconds = await cpuMicroseconds(pid).catch(() => undefined)
    if (microseconds !== undefined) used.set(pid, microseconds)
  }
  return used
}
