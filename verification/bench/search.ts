import { Client } from 'pg'
import { costOfBoth, type Side } from './costs.ts'
import { fillByCopy } from './growth-fill.ts'
import { type Figure, type Row, spread } from './row.ts'
import type { Stage } from './stage.ts'
import { publish, someEntries, type Writer, writer } from './workload.ts'

/** The entries of the person who searches, and those of others beside them. */
const OWN = 1_000
const OTHERS = { accounts: 100, projects: 500, milestones: 4, entries: 50 }
const QUERIES = 200
/** Each query is measured as often, alternately on both sides, and counts with the median. */
const TIMES = 5
const FILTERS = ['tag:wood', 'in:canoe', 'has:picture', 'is:draft', 'after:2020', 'by:me']

/** What people type: words, their beginnings and ends, two of them, phrases, slips, filters. */
function queries(): string[] {
  const words = [...new Set(someEntries(60).flatMap(({ content }) => content.match(/\p{L}{4,}/gu) ?? []))]
  const wordAt = (index: number) => words[(index * 37) % words.length] ?? 'oak'
  const shapes = [
    (word: string) => word,
    (word: string) => word.slice(0, 3),
    (word: string, other: string) => `${word} ${other}`,
    (word: string) => word.slice(2),
    (word: string, other: string) => `"${word} ${other}"`,
    (word: string) => `${word.slice(1, 2)}${word.slice(0, 1)}${word.slice(2)}`,
    (word: string, other: string) => `${word} -${other}`,
    (word: string, _other: string, index: number) => `${FILTERS[index % FILTERS.length]} ${word}`,
  ]
  return Array.from({ length: QUERIES }, (_, index) => {
    const shape = shapes[index % shapes.length]
    return shape?.(wordAt(index), wordAt(index + 5), index) ?? ''
  })
}

type Costs = { query: string; among: number; alone: number }

const measured = new WeakMap<Stage, Promise<Costs[]>>()

function costsOn(shared: Stage): Promise<Costs[]> {
  const costs = measured.get(shared) ?? measure(shared)
  measured.set(shared, costs)
  return costs
}

/** Returns the processor time of the server and the database together for each query, in microseconds. */
async function measure(shared: Stage): Promise<Costs[]> {
  const [alone, among] = [await openSide(shared), await amongOthers(shared)]
  for (const query of queries()) for (const side of [alone, among]) await search(side, query)
  const costs: Costs[] = []
  for (const query of queries()) {
    const seen = { among: [] as number[], alone: [] as number[] }
    for (let time = 0; time < TIMES; time += 1) {
      seen.among.push(await costOf(among, query))
      seen.alone.push(await costOf(alone, query))
    }
    costs.push({ query, among: spread(seen.among).median, alone: spread(seen.alone).median })
  }
  return costs
}

type Searcher = Side & { writer: Writer; headers: Writer['headers'] }

const opened = new WeakMap<Stage, Promise<Searcher>>()

/** A server with somebody who has 1,000 entries, among 100,000 entries of others. */
function amongOthers(shared: Stage): Promise<Searcher> {
  const side = opened.get(shared) ?? openSide(shared, OTHERS)
  opened.set(shared, side)
  return side
}

async function openSide(stage: Stage, others?: typeof OTHERS): Promise<Searcher> {
  const databaseUrl = await stage.database()
  const server = await stage.server({ DATABASE_URL: databaseUrl, RATE_LIMIT: 'off', TRUST_PROXY: 'loopback' })
  const made = await writer(server.url, OWN)
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  stage.ends(() => database.end())
  if (others) await fillByCopy(database, others)
  const side = { server, database, writer: made, headers: made.headers }
  while ((await search(side, '')).isIndexing || (await areWordsLeft(database)))
    await new Promise((done) => setTimeout(done, 1_000))
  await database.query('vacuum (analyze)')
  return side
}

/** Whether the words of documents are still gathered, by a task of the server whose processor time would count as that of searches. */
async function areWordsLeft(database: Client): Promise<boolean> {
  const { rowCount } = await database.query(
    'select from search_documents d, search_state s where d.indexed_at > s.words_until limit 1',
  )
  return rowCount !== 0
}

async function search({ server, headers }: Searcher, q: string): Promise<{ isIndexing: boolean }> {
  const response = await fetch(`${server.url}/api/search?${new URLSearchParams({ q })}`, { headers })
  if (!response.ok) throw new Error(`a search was answered ${response.status}`)
  return (await response.json()) as { isIndexing: boolean }
}

async function costOf(side: Searcher, query: string): Promise<number> {
  const { server, database } = await costOfBoth(side, 1, () => search(side, query))
  return server + database
}

const inMilliseconds = (microseconds: number) => `${(microseconds / 1_000).toFixed(1)} ms`

function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

/** The call that searches everything, among many things of others. */
const amongMany: Row = {
  name: 'search-among-many',
  what: '95th percentile of 200 searches in 1,000 own entries among 100,000 of others ÷ alone (processor time of both)',
  aim: { atMost: 1.15 },
  isLong: true,
  async measure(_stage, shared): Promise<Figure> {
    const costs = await costsOn(shared)
    const [ours, baseline] = [
      percentile(
        costs.map(({ among }) => among),
        0.95,
      ),
      percentile(
        costs.map(({ alone }) => alone),
        0.95,
      ),
    ]
    const ratios = costs.map(({ among, alone }) => among / alone)
    return {
      value: ours / baseline,
      low: percentile(ratios, 0.05),
      high: percentile(ratios, 0.95),
      ours: inMilliseconds(ours),
      baseline: inMilliseconds(baseline),
    }
  },
}

const worst: Row = {
  name: 'search-worst',
  what: 'the most expensive of these 200 searches (processor time of both)',
  unit: ' ms',
  aim: { atMost: 30 },
  isLong: true,
  async measure(_stage, shared): Promise<Figure> {
    const costs = (await costsOn(shared)).toSorted((a, b) => b.among - a.among)
    const [most] = costs
    if (!most) throw new Error('nothing was searched')
    const values = spread(costs.map(({ among }) => among / 1_000))
    return {
      value: most.among / 1_000,
      low: values.median,
      high: values.high,
      ours: most.query,
      baseline: '',
    }
  },
}

/** The same searches of somebody who takes part in every project. */
const ofMost: Row = {
  name: 'search-of-most',
  what: 'the most expensive of 200 searches of an editor of all 501 projects (processor time of both)',
  unit: ' ms',
  aim: { atMost: 30 },
  isLong: true,
  async measure(_stage, shared): Promise<Figure> {
    const side = await amongOthers(shared)
    await side.database.query(
      `insert into collaborators (id, project_id, email, role, status, inviter_id, user_id, created_at, updated_at, joined_at)
       select gen_random_uuid(), p.id, 'me@example.com', 'editor', 'accepted', p.owner_id, me.owner_id, now(), now(), now()
       from projects p join projects me on me.id = $1 where p.owner_id <> me.owner_id`,
      [side.writer.projectId],
    )
    await side.database.query('vacuum (analyze)')
    const costs: number[] = []
    for (const query of queries()) {
      const seen: number[] = []
      for (let time = 0; time < TIMES; time += 1) seen.push(await costOf(side, query))
      costs.push(spread(seen).median)
    }
    await side.database.query(`delete from collaborators where email = 'me@example.com'`)
    const { median, high } = spread(costs)
    const [low, most] = [median / 1_000, high / 1_000]
    return {
      value: most,
      low,
      high: most,
      ours: `95 % ${inMilliseconds(percentile(costs, 0.95))}`,
      baseline: '',
    }
  },
}

const HOSTILE = 20
const OPENINGS = 200
/** Each has many words that nearly everything has, or none that anything has. */
const EXPENSIVE = ['e', 'the the the', 'a e i o u', 'zzzzqqqq', 'th he er an', 'tne woud', '"the"', '-qqqq e']

/** Returns how long the first page of a milestone takes, in milliseconds. */
async function opening(origin: string, { milestoneId, headers }: Writer): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${origin}/api/milestones/${milestoneId}/entries?page=1&limit=12`, { headers })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`a page of entries was answered ${response.status}`)
  return performance.now() - start
}

/** What others feel while strangers of twenty networks search a public project as expensively as they can. */
const beside: Row = {
  name: 'search-beside',
  what: 'the slowest of 200 pages of entries that a member opens while 20 strangers search without a pause',
  unit: ' ms',
  aim: { atMost: 250 },
  isLong: true,
  async measure(_stage, shared): Promise<Figure> {
    const { server, writer: owner } = await amongOthers(shared)
    await publish(owner)
    const over = new AbortController()
    const strangers = Array.from({ length: HOSTILE }, (_, index) =>
      searchOn(`${server.url}/world/${owner.projectId}/search`, index, over.signal),
    )
    try {
      const times: number[] = []
      while (times.length < OPENINGS) times.push(await opening(server.url, owner))
      const { median, low, high } = spread(times)
      return {
        value: high,
        low,
        high: percentile(times, 0.99),
        ours: `median ${median.toFixed(0)} ms`,
        baseline: '',
      }
    } finally {
      over.abort()
      const answered = await Promise.all(strangers)
      console.error(`  ${answered.flat().length} searches of strangers were answered meanwhile`)
    }
  },
}

const PAUSE_MS = 20

/** What others feel while a database that was never indexed is: the state after the migration, and after a crash. */
const filling: Row = {
  name: 'search-filling',
  what: 'the 99th percentile of pages of entries that a member opens while 101,000 entries are indexed, and while nothing is',
  unit: ' ms',
  isLong: true,
  async measure(_stage, shared): Promise<Figure> {
    const side = await amongOthers(shared)
    const { server, database, writer: reader } = side
    const open = async (times: number[]) => {
      times.push(await opening(server.url, reader))
      await new Promise((done) => setTimeout(done, PAUSE_MS))
    }
    const [before, meanwhile]: [number[], number[]] = [[], []]
    while (before.length < OPENINGS) await open(before)
    await database.query('truncate search_documents, search_queue, search_words, search_state')
    const start = performance.now()
    while (meanwhile.length < OPENINGS || meanwhile.length % 50 !== 0 || (await search(side, '')).isIndexing)
      await open(meanwhile)
    const seconds = ((performance.now() - start) / 1_000).toFixed(0)
    const { median, high } = spread(meanwhile)
    return {
      value: percentile(meanwhile, 0.99),
      low: median,
      high,
      ours: `${meanwhile.length} pages in ${seconds} s`,
      baseline: `99 % ${percentile(before, 0.99).toFixed(0)} ms`,
    }
  },
}

/** Searches without a pause until `over`, from a network of its own. Returns the statuses of the answers. */
async function searchOn(url: string, index: number, over: AbortSignal): Promise<number[]> {
  const statuses: number[] = []
  for (let count = index; !over.aborted; count += 1) {
    const q = EXPENSIVE[count % EXPENSIVE.length] ?? ''
    const headers = { 'x-forwarded-for': `198.51.${100 + index}.7` }
    const response = await fetch(`${url}?${new URLSearchParams({ q })}`, { headers })
    await response.arrayBuffer()
    if (response.status >= 500 && response.status !== 503)
      throw new Error(`a search was answered ${response.status}`)
    statuses.push(response.status)
  }
  return statuses
}

export const searchRows: Row[] = [amongMany, worst, ofMost, beside, filling]
