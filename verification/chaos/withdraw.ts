import { startReplica, startServer } from '#testing/start-server.ts'
import { assert, eventually } from './assertions.ts'
import { MANNERS, type Manner, publish, type Way } from './withdraw-manners.ts'

const ROUNDS = Number(process.env.WITHDRAW_ROUNDS ?? 3)
/** Of each server. */
const READERS = 6
/** How often each URL of each server is requested afterwards. */
const LATER = 3

/**
 * Takes back what visitors of two servers are reading, in every manner: no request that begins after the response gives it, whether
 * it asks for the whole page or only whether it has changed.
 */
export async function withdraw(report: (text: string) => void): Promise<void> {
  const first = await startServer()
  const second = await startReplica(first).catch(async (error) => {
    await first.stop()
    throw error
  })
  try {
    const counts = { before: 0, after: 0 }
    for (let round = 0; round < ROUNDS; round += 1)
      for (const manner of MANNERS) {
        const { before, after } = await takenBack([first.url, second.url], manner)
        counts.before += before
        counts.after += after
      }
    report(
      `taken back ${ROUNDS * MANNERS.length} times in ${MANNERS.length} manners while ${2 * READERS} visitors of two servers read ${counts.before} times what was to go; of ${counts.after} requests that began later, none was given it`,
    )
  } finally {
    await second.stop()
    await first.stop()
  }
}

/** Returns how often the thing was read, and how many requests began after the response to its withdrawal. */
async function takenBack(origins: string[], { what, isOfEntry, ways, take }: Manner) {
  const published = await publish(origins[0] ?? '')
  const wanted = await ways(published)
  const counts = { before: 0, after: 0 }
  const leaks: string[] = []
  const given = new Set<string>()
  const asked = new Map<string, number>()
  let isTaken = false
  const over = new AbortController()

  const reader = async (origin: string, offset: number) => {
    const etags = new Map<string, string>()
    for (let turn = offset; !over.signal.aborted; turn += 1) {
      const way = wanted[turn % wanted.length] as Way
      const url = origin + way.path
      const beganAfter = isTaken
      const word = isOfEntry ? published.entryWord : published.word
      const { isGiven, etag, status } = await read(url, way, word, etags.get(url))
      if (etag) etags.set(url, etag)
      if (beganAfter) {
        counts.after += 1
        asked.set(url, (asked.get(url) ?? 0) + 1)
        if (isGiven) leaks.push(`${way.path} was answered ${status}`)
      } else if (isGiven) {
        counts.before += 1
        given.add(url)
      }
    }
  }
  const readers = origins.flatMap((origin) =>
    Array.from({ length: READERS }, (_, index) => reader(origin, index * 3)),
  )
  const urls = origins.flatMap((origin) => wanted.map(({ path }) => origin + path))
  try {
    await eventually(() => urls.every((url) => given.has(url)), `${what}: not everything was given before`)
    await take(published)
    isTaken = true
    await eventually(() => urls.every((url) => (asked.get(url) ?? 0) >= LATER), `${what}: nobody asked later`)
  } finally {
    over.abort()
    await Promise.all(readers)
  }
  assert(leaks.length === 0, `${what}: ${leaks.length} requests were given it afterwards; ${leaks[0]}`)
  return counts
}

async function read(url: string, way: Way, word: string, etag: string | undefined) {
  const known = Math.random() < 0.5 ? etag : undefined
  const response = await fetch(url, {
    headers: { ...way.headers, ...(known && { 'if-none-match': known }) },
    redirect: 'manual',
  })
  const text = await response.text()
  const isGiven =
    response.status === 304 || (response.status === 200 && (way.isPicture || text.includes(word)))
  return { isGiven, status: response.status, etag: isGiven ? response.headers.get('etag') : null }
}
