import { entryFields } from '#contract/entries.ts'
import { hostileTexts } from '#markdown/testing/hostile.ts'
import { type Account, createAccount } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { residentMegabytes } from '#testing/memory.ts'
import { startServer } from '#testing/start-server.ts'
import { assert, percentile } from './assertions.ts'

/** The number of people who concurrently write and read hostile texts. */
const WRITERS = 3
const HOLDS = { p99Ms: 250, growthMegabytes: 200 }

/** Saves texts that are hard on Markdown parsers, and reads them everywhere: other visitors must not notice. */
export async function markdown(report: (text: string) => void): Promise<void> {
  const server = await startServer()
  try {
    const visitor = await createAccount(server.url)
    const { projectId } = await createJournal(visitor, [], { isPublic: true })
    const page = `${server.url}/world/${projectId}`
    await warmUp(server.url, visitor)
    const before = await residentMegabytes(server.pid)
    const watching = watch([`${server.url}/healthz`, page])
    const start = performance.now()
    const outcomes = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => attack(server.url, writer)),
    ).finally(watching.end)
    const seconds = Math.round((performance.now() - start) / 1000)
    const [health, cached] = await watching.times
    const growth = (await residentMegabytes(server.pid)) - before
    const [saved, plain, waited] = [0, 1, 2].map((index) =>
      outcomes.reduce((sum, outcome) => sum + (outcome[index] ?? 0), 0),
    )
    report(
      `${saved} hostile texts saved and read in ${seconds} s, ${plain} of them as plain text, ${waited} refusals until later; meanwhile p99 of /healthz ${health} ms, of a public page ${cached} ms; grown by ${growth.toFixed(0)} MB`,
    )
    const storable = hostileTexts.filter(({ content }) => isStorable(content)).length
    assert(saved === storable, `only ${saved} of ${storable} texts were saved`)
    assert(Math.max(health ?? 0, cached ?? 0) < HOLDS.p99Ms, `another visitor waited over ${HOLDS.p99Ms} ms`)
    assert(growth < HOLDS.growthMegabytes, `the server grew by ${growth.toFixed(0)} MB`)
  } finally {
    await server.stop()
  }
}

/** Loads everything once before it is measured. */
async function warmUp(url: string, account: Account): Promise<void> {
  const journal = await createJournal(account, [], { isPublic: true })
  await save(account, journal, 'It *rose*.')
  await readEverywhere(url, account, journal)
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
    assert(outcome.status === 201, `${name} returned ${outcome.status}`)
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
  entryId?: string,
) {
  const paths = ['', '/feed.atom', '/feed.rss', '/feed.json', ...(entryId ? [`/entries/${entryId}`] : [])]
  const responses = await Promise.all([
    ...paths.map((path) => fetch(`${url}/world/${projectId}${path}`)),
    account.send('listEntries', { params: { milestoneId }, query: {} }),
    ...(entryId ? [account.send('readEntry', { params: { milestoneId, entryId } })] : []),
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
