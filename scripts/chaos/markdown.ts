import { readFile } from 'node:fs/promises'
import { entryFields } from '#contract/entries.ts'
import { startServer } from '#e2e/start-server.ts'
import { hostileTexts } from '#markdown/testing/hostile.ts'
import { percentile, requireAccess } from './demand.ts'
import { type Person, signUp } from './person.ts'
import { makeStory, type Story } from './story.ts'

/** How many people write and read hostile texts at the same time. */
const WRITERS = 3
const HOLDS = { p99Ms: 250, growthMegabytes: 200 }

/** Texts that are hard on parsers of Markdown, saved and read everywhere: another visitor notices nothing of it. */
export async function markdown(say: (text: string) => void): Promise<void> {
  const server = await startServer()
  try {
    const visitor = await signUp(server.url)
    const { projectId } = await makeStory(visitor, true)
    const page = `${server.url}/world/${projectId}`
    await warmUp(server.url, visitor)
    const before = await residentMegabytes(server.pid)
    const watching = watch([`${server.url}/healthz`, page])
    const begun = performance.now()
    const outcomes = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => attack(server.url, writer)),
    ).finally(watching.end)
    const seconds = Math.round((performance.now() - begun) / 1000)
    const [health, cached] = await watching.times
    const growth = (await residentMegabytes(server.pid)) - before
    const [saved, plain, waited] = [0, 1, 2].map((place) =>
      outcomes.reduce((sum, outcome) => sum + (outcome[place] ?? 0), 0),
    )
    say(
      `${saved} hostile texts saved and read in ${seconds} s, ${plain} of them as plain text, ${waited} refusals until later; meanwhile p99 of /healthz ${health} ms, of a public page ${cached} ms; grown by ${growth} MB`,
    )
    const storable = hostileTexts.filter(({ content }) => isStorable(content)).length
    requireAccess(saved === storable, `only ${saved} of ${storable} texts were saved`)
    requireAccess(
      Math.max(health ?? 0, cached ?? 0) < HOLDS.p99Ms,
      `another visitor waited over ${HOLDS.p99Ms} ms`,
    )
    requireAccess(growth < HOLDS.growthMegabytes, `the server grew by ${growth} MB`)
  } finally {
    await server.stop()
  }
}

/** Everything has been loaded once before it is measured. */
async function warmUp(url: string, person: Person): Promise<void> {
  const story = await makeStory(person, true)
  await save(person, story, 'It *rose*.')
  await readEverywhere(url, person, story)
}

/** Saves each text of one writer and reads it. Returns how many were saved, how many as plain text, and what was refused for the moment. */
async function attack(url: string, writer: number): Promise<[number, number, number]> {
  const person = await signUp(url)
  let [saved, plain, waited] = [0, 0, 0]
  let story = await makeStory(person, true)
  for (const [index, { name, content }] of hostileTexts.entries()) {
    if (index % WRITERS !== writer) continue
    // A project of a reasonable size: how many texts one answer holds is not what is tried here.
    if (saved % 10 === 9) story = await makeStory(person, true)
    const outcome = await save(person, story, content)
    waited += outcome.waited
    if (outcome.status === 400 && !isStorable(content)) continue
    requireAccess(outcome.status === 201, `${name} was answered with ${outcome.status}`)
    plain += Number(outcome.renderedAs === 'plain')
    saved += 1
    await readEverywhere(url, person, story, outcome._id)
  }
  return [saved, plain, waited]
}

/** Whether an entry may have this content at all: it is not blank, and the database can hold it. */
const isStorable = (content: string) => entryFields.shape.content.safeParse(content).success

async function save(person: Person, { milestoneId }: Story, content: string) {
  for (let waited = 0; ; waited += 1) {
    const body = { title: 'Hostile', content, tags: [] }
    const answer = await person.send('createEntry', { params: { milestoneId }, body })
    const text = await answer.text()
    if (answer.status !== 503 || waited > 20)
      return { status: answer.status, waited, ...(JSON.parse(text) as { _id?: string; renderedAs?: string }) }
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(answer.headers.get('retry-after'))))
  }
}

async function readEverywhere(
  url: string,
  person: Person,
  { projectId, milestoneId }: Story,
  entryId?: string,
) {
  const places = ['', '/feed.atom', '/feed.rss', '/feed.json', ...(entryId ? [`/entries/${entryId}`] : [])]
  const answers = await Promise.all([
    ...places.map((place) => fetch(`${url}/world/${projectId}${place}`)),
    person.send('listEntries', { params: { milestoneId }, query: {} }),
    ...(entryId ? [person.send('readEntry', { params: { milestoneId, entryId } })] : []),
  ])
  for (const answer of answers) {
    await answer.arrayBuffer()
    requireAccess(answer.ok || answer.status === 503, `${answer.url} was answered with ${answer.status}`)
  }
}

/** Visits these addresses again and again until its end; then the 99th percentile of each one's times, in milliseconds. */
function watch(urls: string[]) {
  const over = new AbortController()
  const visits = urls.map(async (url) => {
    const times: number[] = []
    while (!over.signal.aborted) {
      const begun = performance.now()
      const answer = await fetch(url)
      await answer.arrayBuffer()
      requireAccess(answer.ok, `${url} was answered with ${answer.status}`)
      times.push(performance.now() - begun)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return Math.round(percentile(times, 99))
  })
  const times = Promise.all(visits)
  times.catch(() => undefined) // it is awaited later, unless something else failed first
  return { times, end: () => over.abort() }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}
