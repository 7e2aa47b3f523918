import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { AppEvent } from './event.ts'
import type { Events } from './events.ts'

/** Runs a transaction. What it tells goes out once it stands, and not at all where it fails. */
export async function transact<T>(
  { db, events }: { db: Kysely<Schema>; events: Events },
  work: (trx: Transaction<Schema>, publish: Events['publish']) => Promise<T>,
): Promise<T> {
  const told: AppEvent[] = []
  const result = await db.transaction().execute((trx) => work(trx, (...events) => void told.push(...events)))
  events.publish(...told)
  return result
}
