import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, type RunningServer, startServer } from '#e2e/start-server.ts'
import { killDatabaseUnder, startDatabase } from './database.ts'
import { withFolder } from './folder.ts'
import { startLoad } from './load.ts'
import { signUp } from './person.ts'

const ROUNDS = 5
const UNDER_LOAD_MS = 1_500

type Say = (text: string) => void

/** Kills the server while it writes, every second time its database too: whatever was acknowledged is there afterwards. */
export async function kill(say: Say): Promise<void> {
  await withFolder((folder) =>
    rounds('its own database', { DATA_DIR: folder }, () => killDatabaseUnder(folder), say),
  )
  const database = await startDatabase()
  try {
    await rounds('a database of its own machine', { DATABASE_URL: database.url }, database.kill, say)
  } finally {
    await database.remove()
  }
}

async function rounds(
  name: string,
  given: Record<string, string>,
  killDatabase: () => Promise<void>,
  say: Say,
) {
  await withFolder(async (folder) => {
    const settings = { DATA_DIR: folder, PORT: String(await freePort()), ...given }
    let server: RunningServer = await startServer(settings)
    let acknowledged = 0
    try {
      const person = await signUp(server.url)
      for (let round = 0; round < ROUNDS; round += 1) {
        const load = await startLoad(person, server.url)
        await sleep(UNDER_LOAD_MS)
        if (round % 2 === 1) await killDatabase()
        await server.end('SIGKILL')
        await server.stop()
        server = await startServer(settings)
        await load.stopAndFind(server.url)
        acknowledged += load.outcome.acknowledged.size
      }
    } finally {
      await server.stop()
    }
    say(`on ${name}: ${ROUNDS} times kill -9, ${acknowledged} entries acknowledged, all found`)
  })
}
