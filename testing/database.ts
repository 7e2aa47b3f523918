import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { type EmbeddedDatabase, openEmbedded } from '#server/database/embedded/open.ts'
import { isShuttingDown, registerCleanup, temporaryDirectory } from './cleanup.ts'
import { embeddedDatabaseUrl } from './start-server.ts'

/** The maximum number of connections of all servers under test. */
const CONNECTIONS = 60

/** Starts a separate PostgreSQL, for servers under test that get its `url` as their DATABASE_URL. */
export async function startDatabase() {
  const { directory, remove } = await temporaryDirectory()
  const open = () =>
    openEmbedded({
      dataDir: directory,
      poolSize: CONNECTIONS,
      log: pino({ level: 'silent' }),
      progress: () => undefined,
      lost: (error) => {
        throw error
      },
    })
  let server: Promise<EmbeddedDatabase> | undefined = open()
  const stop = async () => {
    const running = server
    server = undefined
    await (await running)?.stop()
  }
  const stopAndRemove = registerCleanup(async () => {
    await stop()
    await remove()
  })
  await server
  return {
    url: await embeddedDatabaseUrl(directory),
    stop,
    /** Starts it again with the same data. */
    async start() {
      if (!isShuttingDown()) await (server ??= open())
    },
    /** Kills it with SIGKILL; the embedded database restarts by itself. */
    kill: () => killEmbeddedDatabase(directory),
    remove: stopAndRemove,
  }
}

/** Kills the embedded database in a data directory with SIGKILL. */
export async function killEmbeddedDatabase(dataDir: string): Promise<void> {
  const file = await readFile(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  process.kill(Number(file.split('\n', 1)[0]), 'SIGKILL')
}
