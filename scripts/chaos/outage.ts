import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '#e2e/start-server.ts'
import { startDatabase } from './database.ts'
import { requireAccess } from './demand.ts'
import { startLoad, told } from './load.ts'
import { signUp } from './person.ts'

const GONE_MS = 20_000
const AROUND_MS = 2_000
const RECOVERY_MS = 30_000

/** Takes the database away under load: clear refusals, and work again when it is back, without a restart. */
export async function outage(say: (text: string) => void): Promise<void> {
  const database = await startDatabase()
  const server = await startServer({ DATABASE_URL: database.url })
  try {
    const load = await startLoad(await signUp(server.url), server.url)
    await sleep(AROUND_MS)
    await database.stop()
    await sleep(GONE_MS)
    const [ready, healthy] = await Promise.all([
      statusOf(`${server.url}/readyz`),
      statusOf(`${server.url}/healthz`),
    ])
    requireAccess(
      ready === 503 && healthy === 200,
      `without its database it said readyz ${ready}, healthz ${healthy}`,
    )
    const before = load.outcome.acknowledged.size
    await database.start()
    const back = Date.now()
    while (load.outcome.acknowledged.size === before) {
      requireAccess(
        Date.now() - back < RECOVERY_MS,
        'nothing could be written half a minute after the database was back',
      )
      await sleep(20)
    }
    const recovered = Date.now() - back
    await sleep(AROUND_MS)
    await load.stopAndFind(server.url)
    const { broken, unclear, refused } = load.outcome
    say(
      `database gone for ${GONE_MS / 1000} s: ${told(load.outcome)}; all found; writing again ${recovered} ms after its return`,
    )
    requireAccess(refused > 0, 'nothing was refused')
    requireAccess(
      broken + unclear.length === 0,
      `not every refusal was clear: ${broken} broken off, ${unclear[0]}`,
    )
  } finally {
    await server.stop()
    await database.remove()
  }
}

const statusOf = async (url: string) => (await fetch(url)).status
