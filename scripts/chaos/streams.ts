import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { EVENTS_PATH } from '#contract/events-path.ts'
import { startServer } from '#e2e/start-server.ts'
import { requireAccess } from './demand.ts'
import { p99 } from './latency.ts'
import { type Person, signUp } from './person.ts'

const ASKED = 10_000
const BOUND = 2_000
const OF_ONE_PERSON = 20
/** Files that are open beside the streams. */
const SPARE = 500
const AT_ONCE = 50

/** Far more streams of events than a process takes: those beyond the bound are refused, and it stays small and quick. */
export async function streams(say: (text: string) => void): Promise<void> {
  const bound = Math.min(BOUND, Math.floor(((await openFilesMax()) - SPARE) / OF_ONE_PERSON) * OF_ONE_PERSON)
  if (bound < BOUND) say(`only ${bound} streams are held open: the limit of open files (ulimit -n) is low`)
  const server = await startServer({ EVENT_STREAMS_MAX: String(bound) })
  const open: IncomingMessage[] = []
  try {
    const people: Person[] = []
    while (people.length < bound / OF_ONE_PERSON)
      people.push(...(await Promise.all(Array.from({ length: 4 }, () => signUp(server.url)))))
    await p99(server.url)
    const [before, memoryBefore] = [await p99(server.url), await residentMegabytes(server.pid)]
    const refused = await openMany(server.url, people, open)
    const [meanwhile, memory] = [await p99(server.url), await residentMegabytes(server.pid)]
    const standing = open.filter(({ complete, destroyed }) => !complete && !destroyed).length
    say(`${ASKED} streams asked for: ${standing} stay open, ${refused} refused with a time to come back`)
    say(
      `${memoryBefore} MB before, ${memory} MB with them; p99 of the landing page ${before} ms before, ${meanwhile} ms with them`,
    )
    requireAccess(
      standing <= bound && standing > bound - AT_ONCE,
      `${standing} streams are open where ${bound} may be`,
    )
    requireAccess(memory - memoryBefore < 150, 'the streams take more than 150 MB')
  } finally {
    for (const stream of open) stream.destroy()
    await server.stop()
  }
}

/** Opens as many as are let in; answers how many were refused. */
async function openMany(url: string, people: Person[], open: IncomingMessage[]): Promise<number> {
  let refused = 0
  let asked = 0
  const work = async () => {
    while (asked < ASKED) {
      const person = people[asked % people.length]
      asked += 1
      const headers = { authorization: `Bearer ${person?.token}` }
      const [answer] = (await once(get(url + EVENTS_PATH, { headers, agent: false }), 'response')) as [
        IncomingMessage,
      ]
      answer.on('error', () => answer.destroy()) // it ends with the server
      answer.resume()
      if (answer.statusCode === 200) {
        open.push(answer)
        continue
      }
      requireAccess(answer.statusCode === 503, `a stream was answered with ${answer.statusCode}`)
      requireAccess(Number(answer.headers['retry-after']) > 0, 'a stream was refused without Retry-After')
      refused += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return refused
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}

async function openFilesMax(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8')
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}
