import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount } from '#testing/account.ts'
import { startDatabase } from '#testing/database.ts'
import { startServer } from '#testing/start-server.ts'
import { assert } from './assertions.ts'
import { startLoad, summarize } from './load.ts'

const OUTAGE_MS = 20_000
const UNDER_LOAD_MS = 2_000
const RECOVERY_MS = 30_000

/** Takes the database away under load: clear refusals, and work again when it is back, without a restart. */
export async function outage(report: (text: string) => void): Promise<void> {
  const database = await startDatabase()
  const server = await startServer({ DATABASE_URL: database.url })
  try {
    const load = await startLoad(await createAccount(server.url), server.url)
    await sleep(UNDER_LOAD_MS)
    await database.stop()
    await sleep(OUTAGE_MS)
    const [ready, healthy] = await Promise.all([
      statusOf(`${server.url}/readyz`),
      statusOf(`${server.url}/healthz`),
    ])
    assert(
      ready === 503 && healthy === 200,
      `without its database it said readyz ${ready}, healthz ${healthy}`,
    )
    const before = load.result.acknowledged.size
    await database.start()
    const back = Date.now()
    while (load.result.acknowledged.size === before) {
      assert(
        Date.now() - back < RECOVERY_MS,
        'nothing could be written half a minute after the database was back',
      )
      await sleep(20)
    }
    const recovered = Date.now() - back
    await sleep(UNDER_LOAD_MS)
    await load.stopAndVerify(server.url)
    const { broken, unclear, refused } = load.result
    report(
      `database gone for ${OUTAGE_MS / 1000} s: ${summarize(load.result)}; all found; writing again ${recovered} ms after its return`,
    )
    assert(refused > 0, 'nothing was refused')
    assert(broken + unclear.length === 0, `not every refusal was clear: ${broken} broken off, ${unclear[0]}`)
  } finally {
    await server.stop()
    await database.remove()
  }
}

const statusOf = async (url: string) => (await fetch(url)).status
