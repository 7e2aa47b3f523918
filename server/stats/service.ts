import type { Stats } from '#contract/stats.ts'
import type { AppDeps } from '#server/deps.ts'
import { countContent, countPeople } from './store.ts'

/** The maximum age of the numbers on the landing page. They are cached because counting scans whole tables. */
const FRESH_MS = 10_000

/** Counts the content of this server, and the people who have signed in at least once. */
export function createStats({ db, clock }: Pick<AppDeps, 'db' | 'clock'>) {
  return {
    readStats: cached((): Promise<Stats> => countContent(db), clock),
    countUsers: cached(async () => ({ total: await countPeople(db) }), clock),
  }
}

/** Caches the result of `load` for FRESH_MS, also for concurrent callers. A failure is not cached. */
function cached<Value>(load: () => Promise<Value>, clock: () => Date): () => Promise<Value> {
  let entry: { value: Promise<Value>; until: number } | null = null
  return async () => {
    const now = clock().getTime()
    if (!entry || now >= entry.until) entry = { value: load(), until: now + FRESH_MS }
    const current = entry
    try {
      return await current.value
    } catch (error) {
      if (entry === current) entry = null
      throw error
    }
  }
}
