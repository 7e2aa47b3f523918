import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { isEnding, leftover } from '#e2e/leftovers.ts'
import { databaseUnder } from '#e2e/second-process.ts'
import { type EmbeddedDatabase, openEmbedded } from '#server/database/embedded/open.ts'

/** How many connections the servers under test may hold together. */
const CONNECTIONS = 60

/** A PostgreSQL beside the servers under test, to be named in their DATABASE_URL. */
export async function startDatabase() {
  const folder = await mkdtemp(path.join(tmpdir(), 'milepost-chaos-'))
  await chmod(folder, 0o711)
  const open = () =>
    openEmbedded({
      dataDir: folder,
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
  const remove = leftover(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  await server
  return {
    url: await databaseUnder(folder),
    stop,
    /** Starts it again where it was. */
    async start() {
      if (!isEnding()) await (server ??= open())
    },
    /** Kills it without warning; it is brought up again at once. */
    kill: () => killDatabaseUnder(folder),
    remove,
  }
}

/** Kills the embedded database of a data folder. */
export async function killDatabaseUnder(dataDir: string): Promise<void> {
  const file = await readFile(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  process.kill(Number(file.split('\n', 1)[0]), 'SIGKILL')
}
