import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount } from '#testing/account.ts'
import { withTemporaryDirectory } from '#testing/cleanup.ts'
import { killEmbeddedDatabase, startDatabase } from '#testing/database.ts'
import { freePort, type RunningServer, startServer } from '#testing/start-server.ts'
import { startLoad } from './load.ts'

const ROUNDS = 5
const UNDER_LOAD_MS = 1_500

type Report = (text: string) => void

/** Kills the server while it writes, every second time its database too: whatever was acknowledged is there afterwards. */
export async function kill(report: Report): Promise<void> {
  await withTemporaryDirectory((folder) =>
    rounds('its own database', { DATA_DIR: folder }, () => killEmbeddedDatabase(folder), report),
  )
  const database = await startDatabase()
  try {
    await rounds('a database of its own machine', { DATABASE_URL: database.url }, database.kill, report)
  } finally {
    await database.remove()
  }
}

async function rounds(
  name: string,
  given: Record<string, string>,
  killDatabase: () => Promise<void>,
  report: Report,
) {
  await withTemporaryDirectory(async (folder) => {
    const settings = { DATA_DIR: folder, PORT: String(await freePort()), ...given }
    let server: RunningServer = await startServer(settings)
    let acknowledged = 0
    try {
      const account = await createAccount(server.url)
      for (let round = 0; round < ROUNDS; round += 1) {
        const load = await startLoad(account, server.url)
        await sleep(UNDER_LOAD_MS)
        if (round % 2 === 1) await killDatabase()
        await server.end('SIGKILL')
        await server.stop()
        server = await startServer(settings)
        await load.stopAndVerify(server.url)
        acknowledged += load.result.acknowledged.size
      }
    } finally {
      await server.stop()
    }
    report(`on ${name}: ${ROUNDS} times kill -9, ${acknowledged} entries acknowledged, all found`)
  })
}
