import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { Events } from './events.ts'
import type { News } from './news.ts'

/** Runs a transaction. What it tells goes out once it stands, and not at all where it fails. */
export async function transact<T>(
  { db, events }: { db: Kysely<Schema>; events: Events },
  work: (trx: Transaction<Schema>, tell: Events['tell']) => Promise<T>,
): Promise<T> {
  const told: News[] = []
  const result = await db.transaction().execute((trx) => work(trx, (...news) => void told.push(...news)))
  events.tell(...told)
  return result
}
