import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { RunningServer } from '#e2e/start-server.ts'
import type { Stage } from './stage.ts'

/** A statement as the product sent it to the database. */
export type Statement = {
  /** Where it is prepared on each connection. */
  name?: string
  text: string
  values: unknown[]
}

/** The statements that the product sends while `act` is done for the second time: the first time readies what lasts. */
export async function statementsOf(
  stage: Stage,
  databaseUrl: string,
  act: (server: RunningServer) => Promise<unknown>,
): Promise<Statement[]> {
  const file = path.join(await stage.folder(), 'statements')
  const server = await stage.server(
    { DATABASE_URL: databaseUrl, BENCH_STATEMENTS: file },
    new URL('record-statements.ts', import.meta.url),
  )
  await act(server)
  const before = (await read(file)).length
  await act(server)
  const statements = (await read(file)).slice(before)
  await server.stop()
  return statements
}

async function read(file: string): Promise<Statement[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Statement)
}
