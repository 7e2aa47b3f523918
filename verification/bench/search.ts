import { Client } from 'pg'
import { fillByCopy } from './growth-fill.ts'
import { alternate, figureOf, milliseconds, type Row } from './row.ts'
import type { Stage } from './stage.ts'
import { someEntries, type Writer, writer } from './workload.ts'

/** The entries of the person who searches, and those of others beside them. */
const OWN = 1_000
const OTHERS = { accounts: 100, projects: 500, milestones: 4, entries: 50 }
const QUERIES = 60

/** Words as people type them: whole, and the beginnings of words. */
function queries(): string[] {
  const words = [...new Set(someEntries(20).flatMap(({ content }) => content.match(/\p{L}{4,}/gu) ?? []))]
  return Array.from({ length: QUERIES }, (_, index) => {
    const word = words[(index * 37) % words.length] ?? 'oak'
    return index % 3 === 0 ? word.slice(0, 3) : word
  })
}

/** The call that searches everything, among many things of others. */
export const searchAmongMany: Row = {
  name: 'search-among-many',
  what: 'the 95th percentile of a search in 1,000 own entries among 100,000 of others ÷ alone',
  aim: { atMost: 1.15 },
  isLong: true,
  async measure(stage) {
    const [alone, among] = [await openSide(stage), await openSide(stage, OTHERS)]
    const rounds = await alternate(
      () => percentile(among),
      () => percentile(alone),
    )
    return figureOf(rounds, ({ ours, baseline }) => ours / baseline, milliseconds)
  },
}

async function openSide(stage: Stage, others?: typeof OTHERS): Promise<Writer & { url: string }> {
  const databaseUrl = await stage.database()
  const { url } = await stage.server({ DATABASE_URL: databaseUrl, RATE_LIMIT: 'off' })
  const made = await writer(url, OWN)
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  stage.ends(() => database.end())
  if (others) await fillByCopy(database, others)
  while ((await search({ ...made, url }, '')).isIndexing) await new Promise((done) => setTimeout(done, 1_000))
  await database.query('vacuum (analyze)')
  return { ...made, url }
}

async function search(
  { headers, url }: Writer & { url: string },
  q: string,
): Promise<{ isIndexing: boolean }> {
  const response = await fetch(`${url}/api/search?${new URLSearchParams({ q })}`, { headers })
  if (!response.ok) throw new Error(`a search was answered ${response.status}`)
  return (await response.json()) as { isIndexing: boolean }
}

async function percentile(side: Writer & { url: string }): Promise<number> {
  const times: number[] = []
  for (const q of queries()) {
    const start = performance.now()
    await search(side, q)
    times.push(performance.now() - start)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length * 0.95)] ?? 0) * 1_000
}
