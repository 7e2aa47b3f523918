import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { registerCleanup, temporaryDirectory } from '#testing/cleanup.ts'
import { startDatabase } from '#testing/database.ts'
import { type RunningServer, startServer } from '#testing/start-server.ts'

/** The environment of one row. Everything that it opens is closed after the row, in reverse order. */
export type Stage = {
  ends: (end: () => Promise<unknown>) => void
  /** Creates an empty directory. */
  folder(): Promise<string>
  /** Returns the URL of an empty database: on the server of DATABASE_URL if that is set, otherwise an embedded one. */
  database(): Promise<string>
  /** Starts the built product. Node first loads the module `preload`. */
  server(settings: Record<string, string>, preload?: URL): Promise<RunningServer>
}

export function createStage(): Stage & { tearDown: () => Promise<void> } {
  // Servers of one stage accept each other's tokens.
  const secret = randomBytes(32).toString('base64url')
  const endings: (() => Promise<unknown>)[] = []
  const ends = (end: () => Promise<unknown>) => void endings.push(registerCleanup(end))

  async function folder() {
    const { directory, remove } = await temporaryDirectory()
    ends(remove)
    return directory
  }

  return {
    ends,
    folder,
    async database() {
      const given = process.env.DATABASE_URL
      const { url, end } = given ? await databaseIn(given) : await embedded()
      ends(end)
      return url
    },
    async server(settings, preload) {
      const server = await startServer({ TOKEN_SECRET: secret, OVERLOAD_DELAY: '0', ...settings }, preload)
      ends(server.stop)
      return server
    },
    async tearDown() {
      for (const end of endings.toReversed()) await end()
    },
  }
}

type Opened = { url: string; end: () => Promise<unknown> }

async function databaseIn(given: string): Promise<Opened> {
  const name = `milepost_bench_${randomBytes(6).toString('hex')}`
  await execute(given, `create database ${name}`)
  const url = new URL(given)
  url.pathname = `/${name}`
  return { url: url.href, end: () => execute(given, `drop database ${name} with (force)`) }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function embedded(): Promise<Opened> {
  const { url, remove } = await startDatabase()
  return { url, end: remove }
}
