import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { EVENTS_PATH } from '#contract/events-path.ts'
import { type Account, createAccount } from '#testing/account.ts'
import { residentMegabytes } from '#testing/memory.ts'
import { startServer } from '#testing/start-server.ts'
import { assert, p99 } from './assertions.ts'

const REQUESTED = 10_000
const LIMIT = 2_000
const OF_ONE_PERSON = 20
/** File descriptors besides those of the streams. */
const SPARE = 500
const AT_ONCE = 50

/** Opens far more event streams than a process accepts: those beyond the limit are refused, and the server stays small and fast. */
export async function streams(report: (text: string) => void): Promise<void> {
  const limit = Math.min(LIMIT, Math.floor(((await openFilesMax()) - SPARE) / OF_ONE_PERSON) * OF_ONE_PERSON)
  if (limit < LIMIT) report(`only ${limit} streams are held open: the limit of open files (ulimit -n) is low`)
  const server = await startServer({ EVENT_STREAMS_MAX: String(limit) })
  const open: IncomingMessage[] = []
  try {
    const people: Account[] = []
    while (people.length < limit / OF_ONE_PERSON)
      people.push(...(await Promise.all(Array.from({ length: 4 }, () => createAccount(server.url)))))
    await p99(server.url)
    const [before, memoryBefore] = [await p99(server.url), await residentMegabytes(server.pid)]
    const refused = await openMany(server.url, people, open)
    const [meanwhile, memory] = [await p99(server.url), await residentMegabytes(server.pid)]
    const accepted = open.filter(({ complete, destroyed }) => !complete && !destroyed).length
    report(`${REQUESTED} streams requested: ${accepted} stay open, ${refused} refused with Retry-After`)
    report(
      `${Math.round(memoryBefore)} MB before, ${Math.round(memory)} MB with them; p99 of the landing page ${before} ms before, ${meanwhile} ms with them`,
    )
    // A quarter is kept for other networks.
    const most = limit - Math.ceil(limit / 4)
    assert(accepted <= most && accepted > most - AT_ONCE, `${accepted} streams are open where ${most} may be`)
    assert(memory - memoryBefore < 150, 'the streams take more than 150 MB')
  } finally {
    for (const stream of open) stream.destroy()
    await server.stop()
  }
}

/** Opens as many streams as are accepted; returns how many were refused. */
async function openMany(url: string, people: Account[], open: IncomingMessage[]): Promise<number> {
  let refused = 0
  let requested = 0
  const work = async () => {
    while (requested < REQUESTED) {
      const account = people[requested % people.length]
      requested += 1
      const headers = { authorization: `Bearer ${account?.token}` }
      const [response] = (await once(get(url + EVENTS_PATH, { headers, agent: false }), 'response')) as [
        IncomingMessage,
      ]
      response.on('error', () => response.destroy()) // ended with the server
      response.resume()
      if (response.statusCode === 200) {
        open.push(response)
        continue
      }
      assert(response.statusCode === 503, `a stream returned ${response.statusCode}`)
      assert(Number(response.headers['retry-after']) > 0, 'a stream was refused without Retry-After')
      refused += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return refused
}

async function openFilesMax(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8')
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}
