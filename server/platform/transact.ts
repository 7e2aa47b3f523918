import type { Kysely, Transaction } from 'kysely'
import { isCollision } from '#server/database/outage.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppEvent, Events } from './events/events.ts'

/** The maximum number of attempts at a transaction that conflicts with others. */
const TRIES = 3

type Deps = { db: Kysely<Schema>; events: Events }

/**
 * Runs a transaction. Its events are published after it commits, and dropped if it fails. PostgreSQL aborts one of two
 * transactions that deadlock; it is retried, so `work` must have no effects outside the database.
 */
export async function transact<T>(
  { db, events }: Deps,
  work: (trx: Transaction<Schema>, publish: Events['publish']) => Promise<T>,
): Promise<T> {
  for (let left = TRIES - 1; ; left -= 1) {
    const published: AppEvent[] = []
    try {
      const result = await db
        .transaction()
        .execute((trx) => work(trx, (...events) => void published.push(...events)))
      events.publish(...published)
      return result
    } catch (error) {
      if (left === 0 || !isCollision(error)) throw error
    }
  }
}
