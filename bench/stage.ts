import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { type RunningServer, startServer } from '#e2e/start-server.ts'
import { openEmbedded } from '#server/database/embedded/open.ts'

/** What one row stands on: everything that it opens ends with it, the last first. */
export type Stage = {
  ends: (end: () => Promise<unknown>) => void
  /** An empty folder. */
  folder(): Promise<string>
  /** The address of an empty database: in the server of DATABASE_URL where that is set, else an embedded one. */
  database(): Promise<string>
  /** The built product, ready; `preload` is a module that Node loads first. */
  server(settings: Record<string, string>, preload?: URL): Promise<RunningServer>
}

export function createStage(): Stage & { clear: () => Promise<void> } {
  // Servers of one stage take each other's tokens.
  const secret = randomBytes(32).toString('base64url')
  const endings: (() => Promise<unknown>)[] = []
  const ends = (end: () => Promise<unknown>) => void endings.push(end)

  async function folder() {
    const made = await mkdtemp(path.join(tmpdir(), 'milepost-bench-'))
    await chmod(made, 0o711)
    ends(() => rm(made, { recursive: true, force: true }))
    return made
  }

  return {
    ends,
    folder,
    async database() {
      const given = process.env.DATABASE_URL
      const { url, end } = given ? await databaseIn(given) : await embedded(await folder())
      ends(end)
      return url
    },
    async server(settings, preload) {
      const server = await startServer({ TOKEN_SECRET: secret, OVERLOAD_DELAY: '0', ...settings }, preload)
      ends(server.stop)
      return server
    },
    async clear() {
      for (const end of endings.toReversed()) await end()
    },
  }
}

type Opened = { url: string; end: () => Promise<unknown> }

async function databaseIn(given: string): Promise<Opened> {
  const name = `milepost_bench_${randomBytes(6).toString('hex')}`
  await tell(given, `create database ${name}`)
  const url = new URL(given)
  url.pathname = `/${name}`
  return { url: url.href, end: () => tell(given, `drop database ${name} with (force)`) }
}

async function tell(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function embedded(dataDir: string): Promise<Opened> {
  const log = pino({ level: 'silent' })
  const lost = (error: unknown) => process.emitWarning(`the database is lost: ${String(error)}`)
  const { connection, stop } = await openEmbedded({ dataDir, poolSize: 40, log, progress: () => {}, lost })
  const { user = '', password, host = '', port, database } = connection
  const url = new URL(`postgres://${user}:${String(password)}@localhost:${port}/${database}`)
  url.searchParams.set('host', host)
  return { url: url.href, end: stop }
}
