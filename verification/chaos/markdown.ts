import { entryFields } from '#contract/entries.ts'
import { hostileTexts } from '#markdown/testing/hostile.ts'
import { type Account, createAccount } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { residentMegabytes } from '#testing/memory.ts'
import { type RunningServer, startServer } from '#testing/start-server.ts'
import { assert, percentile } from './assertions.ts'

/** The number of people who concurrently write and read hostile texts. */
const WRITERS = 3
const HOLDS = { p99Ms: 250, growthMegabytes: 80, peakMegabytes: 550 }

/**
 * Saves texts that are hard on Markdown parsers, and reads them everywhere: other visitors must not notice. The first pass fills
 * the caches and lets V8 compile the code and size its heap; what the server needs in the second pass beyond that is growth.
 */
export async function markdown(report: (text: string) => void): Promise<void> {
  const server = await startServer()
  try {
    const visitor = await createAccount(server.url)
    const { projectId } = await createJournal(visitor, [], { isPublic: true })
    const page = `${server.url}/world/${projectId}`
    const first = await measurePass(server, page)
    const second = await measurePass(server, page)
    const growth = second.peak - first.peak
    report(
      `${second.saved} hostile texts saved and read in ${second.seconds} s, ${second.plain} of them as plain text, ${second.waited} refusals until later; meanwhile p99 of /healthz ${second.health} ms, of a public page ${second.cached} ms; memory at most ${second.peak.toFixed(0)} MB, ${first.peak.toFixed(0)} MB in a pass before`,
    )
    const storable = hostileTexts.filter(({ content }) => isStorable(content)).length
    for (const { saved, health, cached, peak } of [first, second]) {
      assert(saved === storable, `only ${saved} of ${storable} texts were saved`)
      assert(Math.max(health, cached) < HOLDS.p99Ms, `another visitor waited over ${HOLDS.p99Ms} ms`)
      assert(peak < HOLDS.peakMegabytes, `the server took ${peak.toFixed(0)} MB`)
    }
    assert(growth < HOLDS.growthMegabytes, `the server grew by ${growth.toFixed(0)} MB`)
  } finally {
    await server.stop()
  }
}

/** Saves and reads all texts once, while others read `page`. Returns the outcomes, and the server's peak memory in megabytes. */
async function measurePass({ url, pid }: RunningServer, page: string) {
  const watching = watch([`${url}/healthz`, page])
  const measuring = peakMemory(pid)
  const start = performance.now()
  const outcomes = await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => attack(url, writer)),
  ).finally(() => {
    watching.end()
    measuring.end()
  })
  const seconds = Math.round((performance.now() - start) / 1000)
  const [health = 0, cached = 0] = await watching.times
  const [saved = 0, plain = 0, waited = 0] = [0, 1, 2].map((index) =>
    outcomes.reduce((sum, outcome) => sum + (outcome[index] ?? 0), 0),
  )
  return { seconds, health, cached, saved, plain, waited, peak: await measuring.megabytes }
}

/** Saves and reads each text as one writer. Returns how many were saved, how many as plain text, and how many were temporarily refused. */
async function attack(url: string, writer: number): Promise<[number, number, number]> {
  const account = await createAccount(url)
  let [saved, plain, waited] = [0, 0, 0]
  let journal = await createJournal(account, [], { isPublic: true })
  for (const [index, { name, content }] of hostileTexts.entries()) {
    if (index % WRITERS !== writer) continue
    // Keeps projects at a reasonable size, because this is not a test of large projects.
    if (saved % 10 === 9) journal = await createJournal(account, [], { isPublic: true })
    const outcome = await save(account, journal, content)
    waited += outcome.waited
    if (outcome.status === 400 && !isStorable(content)) continue
    assert(outcome.status === 201 && outcome._id !== undefined, `${name} returned ${outcome.status}`)
    plain += Number(outcome.renderedAs === 'plain')
    saved += 1
    await readEverywhere(url, account, journal, outcome._id)
  }
  return [saved, plain, waited]
}

/** Returns whether an entry may have this content: it is not blank, and the database can store it. */
const isStorable = (content: string) => entryFields.shape.content.safeParse(content).success

async function save(account: Account, { milestoneId }: { milestoneId: string }, content: string) {
  for (let waited = 0; ; waited += 1) {
    const body = { title: 'Hostile', content, tags: [] }
    const response = await account.send('createEntry', { params: { milestoneId }, body })
    const text = await response.text()
    if (response.status !== 503 || waited > 20)
      return {
        status: response.status,
        waited,
        ...(JSON.parse(text) as { _id?: string; renderedAs?: string }),
      }
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(response.headers.get('retry-after'))))
  }
}

async function readEverywhere(
  url: string,
  account: Account,
  { projectId, milestoneId }: { projectId: string; milestoneId: string },
  entryId: string,
) {
  const paths = ['', '/feed.atom', '/feed.rss', '/feed.json', `/entries/${entryId}`]
  const responses = await Promise.all([
    ...paths.map((path) => fetch(`${url}/world/${projectId}${path}`)),
    account.send('listEntries', { params: { milestoneId }, query: {} }),
    account.send('readEntry', { params: { milestoneId, entryId } }),
  ])
  for (const response of responses) {
    await response.arrayBuffer()
    assert(response.ok || response.status === 503, `${response.url} returned ${response.status}`)
  }
}

/** Requests these URLs repeatedly until `end` is called. `times` resolves to the 99th percentile of each URL's response times, in milliseconds. */
function watch(urls: string[]) {
  const over = new AbortController()
  const visits = urls.map(async (url) => {
    const times: number[] = []
    while (!over.signal.aborted) {
      const start = performance.now()
      const response = await fetch(url)
      await response.arrayBuffer()
      assert(response.ok, `${url} returned ${response.status}`)
      times.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return Math.round(percentile(times, 99))
  })
  const times = Promise.all(visits)
  times.catch(() => undefined) // awaited later, unless something else fails first
  return { times, end: () => over.abort() }
}

/** Measures the memory of a process until `end` is called. `megabytes` resolves to the highest value. */
function peakMemory(pid: number) {
  const over = new AbortController()
  const measure = async () => {
    let peak = 0
    while (!over.signal.aborted) {
      peak = Math.max(peak, await residentMegabytes(pid))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return peak
  }
  const megabytes = measure()
  megabytes.catch(() => undefined) // awaited later, unless something else fails first
  return { megabytes, end: () => over.abort() }
}
