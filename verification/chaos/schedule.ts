import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { createAccount } from '#testing/account.ts'
import { startDatabase } from '#testing/database.ts'
import { createJournal } from '#testing/journal.ts'
import { startServer } from '#testing/start-server.ts'
import { assert } from './assertions.ts'

const ENTRIES = Number(process.env.SCHEDULE_ENTRIES ?? 1_000)
const PROJECTS = 10
const HOLDS_SECONDS = 30
/** How many are out when the server is killed. */
const KILLED_AFTER = 0.1
const POLL_MS = 100

/** Kills the server while it publishes many entries of one minute: half a minute after the kill all are out, once each, by the one that is started again. */
export async function schedule(report: (text: string) => void): Promise<void> {
  const database = await startDatabase()
  const first = await startServer({ DATABASE_URL: database.url })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  let server = first
  try {
    await scheduleMany(first.url)
    await client.query('update entry_schedules set publish_at = now()')
    await untilLeft(client, ENTRIES * (1 - KILLED_AFTER))
    const killed = performance.now()
    await server.end('SIGKILL')
    const left = await countLeft(client)
    assert(left > 0, 'everything was out before the server was killed')
    server = await startServer({
      PORT: new URL(first.url).port,
      DATABASE_URL: database.url,
      DATA_DIR: first.dataDir,
    })
    await untilLeft(client, 0)
    const seconds = (performance.now() - killed) / 1_000
    const { rows } = await client.query(
      `select (select count(*)::integer from entries where state = 'published') as published,
        (select count(*)::integer from activity where kind = 'entry_written') as told`,
    )
    const { published, told } = rows[0]
    assert(
      published === ENTRIES && told === ENTRIES,
      `${published} entries are published, and the activity has ${told}`,
    )
    assert(seconds <= HOLDS_SECONDS, `${left} entries were out only after ${seconds.toFixed(1)} s`)
    report(
      `${ENTRIES} entries at one minute, server killed after ${ENTRIES - left}: the other ${left} were out ${seconds.toFixed(1)} s after the kill, each once`,
    )
  } finally {
    await client.end()
    await server.end('SIGKILL')
    await first.stop()
    await database.remove()
  }
}

async function scheduleMany(origin: string) {
  const account = await createAccount(origin)
  const publishAt = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const journals = await Promise.all(
    Array.from({ length: PROJECTS }, () => createJournal(account, [], { isPublic: true })),
  )
  await Promise.all(
    journals.map(async ({ milestoneId }) => {
      for (let count = 0; count < ENTRIES / PROJECTS; count += 1) {
        const body = {
          title: `Day ${count}`,
          content: 'Later',
          tags: [],
          state: 'scheduled',
          publishAt,
        } as const
        await account.call('createEntry', { params: { milestoneId }, body })
      }
    }),
  )
}

async function untilLeft(client: Client, most: number): Promise<void> {
  for (let tries = 0; (await countLeft(client)) > most; tries += 1) {
    assert(tries < 1_200, 'nothing is published any more')
    await sleep(POLL_MS)
  }
}

async function countLeft(client: Client): Promise<number> {
  const { rows } = await client.query('select count(*)::integer as n from entry_schedules')
  return rows[0].n
}
