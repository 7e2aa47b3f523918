import type { Kysely, Transaction } from 'kysely'
import { isCollision } from '#server/database/outage.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppEvent, Events } from './events/events.ts'
import type { Once } from './idempotency/once.ts'

/** How often a transaction is tried that others get in the way of. */
const TRIES = 3

/** `once`: the key of a creating call, whose answer is the result. */
type Deps = { db: Kysely<Schema>; events: Events; once?: Once | undefined }

/**
 * Runs a transaction. The events that it publishes are sent after it commits, and dropped if it fails. Of two transactions
 * that wait for each other, PostgreSQL gives one up. That one is run again, so `work` does nothing outside of the database.
 */
export async function transact<T>(
  { db, events, once }: Deps,
  work: (trx: Transaction<Schema>, publish: Events['publish']) => Promise<T>,
): Promise<T> {
  for (let left = TRIES - 1; ; left -= 1) {
    const published: AppEvent[] = []
    try {
      const result = await db.transaction().execute(async (trx) => {
        await once?.begin(trx)
        const answer = await work(trx, (...events) => void published.push(...events))
        await once?.end(trx, answer)
        return answer
      })
      events.publish(...published)
      return result
    } catch (error) {
      if (left === 0 || !isCollision(error)) throw error
    }
  }
}
