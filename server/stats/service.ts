import type { Stats } from '#contract/stats.ts'
import type { AppDeps } from '#server/deps.ts'
import { countContent, countPeople } from './store.ts'

/** Counting goes through whole tables, and nobody minds numbers that are this old. */
const FRESH_MS = 10_000

/** How much is documented on this server by everybody, and how many people have signed in at least once. */
export function createStats({ db, clock }: Pick<AppDeps, 'db' | 'clock'>) {
  return {
    readStats: forAWhile((): Promise<Stats> => countContent(db), clock),
    countUsers: forAWhile(async () => ({ total: await countPeople(db) }), clock),
  }
}

/** Asks once for all who ask within the time that an answer is fresh. A failure is not kept. */
function forAWhile<Value>(ask: () => Promise<Value>, clock: () => Date): () => Promise<Value> {
  let kept: { answer: Promise<Value>; until: number } | null = null
  return async () => {
    const now = clock().getTime()
    if (!kept || now >= kept.until) kept = { answer: ask(), until: now + FRESH_MS }
    const mine = kept
    try {
      return await mine.answer
    } catch (error) {
      if (kept === mine) kept = null
      throw error
    }
  }
}
