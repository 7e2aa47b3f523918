import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '#testing/start-server.ts'
import type { Stage } from './stage.ts'

const QUIET_MS = 300
const RUNS = 3

/** A statement that the product sent to the database. */
export type Statement = {
  /** The name of a prepared statement. */
  name?: string
  text: string
  values: unknown[]
}

/**
 * Starts a server that records its statements; `during` returns those that it sends while `act` runs and because of it, and
 * `until` those that it sends until `act` has its response.
 */
export async function recordingServer(stage: Stage, databaseUrl: string) {
  const file = path.join(await stage.folder(), 'statements')
  const server = await stage.server(
    { DATABASE_URL: databaseUrl, BENCH_STATEMENTS: file },
    new URL('record-statements.ts', import.meta.url),
  )
  const during = async (act: () => Promise<unknown>) => {
    const before = (await readSettled(file)).length
    await act()
    return (await readSettled(file)).slice(before)
  }
  const until = async (act: () => Promise<unknown>) => {
    const before = (await readSettled(file)).length
    await act()
    return (await read(file)).slice(before)
  }
  return { server, during, until }
}

/**
 * Returns the statements that the product sends during `act`. The first run warms up caches. Of three others the one with the fewest counts,
 * because scheduled tasks send some of their own meanwhile.
 */
export async function statementsOf(
  stage: Stage,
  databaseUrl: string,
  act: (server: RunningServer) => Promise<unknown>,
): Promise<Statement[]> {
  const { server, during } = await recordingServer(stage, databaseUrl)
  await act(server)
  const runs: Statement[][] = []
  while (runs.length < RUNS) runs.push(await during(() => act(server)))
  await server.stop()
  return runs.toSorted((a, b) => a.length - b.length)[0] ?? []
}

/** Reads the file once it no longer grows, because events are published after the response. */
async function readSettled(file: string): Promise<Statement[]> {
  for (let before = -1; ; await sleep(QUIET_MS)) {
    const statements = await read(file)
    if (statements.length === before) return statements
    before = statements.length
  }
}

async function read(file: string): Promise<Statement[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Statement)
}
