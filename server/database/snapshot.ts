import type { Kysely } from 'kysely'
import type { Schema } from './rows.ts'

/**
 * Runs reads that belong together on one state of the database, so that a right is not judged by one and used on
 * the next. Within a transaction they already belong to that one.
 */
export function inSnapshot<T>(db: Kysely<Schema>, read: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return read(db)
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

/**
 * As `inSnapshot`, for what is read while somebody takes it: the connection is held from the first item to the last, or
 * until the generator is told to return.
 */
export async function* streamSnapshot<T>(
  db: Kysely<Schema>,
  read: (db: Kysely<Schema>) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const begin = db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const snapshot = await begin.execute()
  try {
    yield* read(snapshot)
  } finally {
    await snapshot.rollback().execute() // nothing was written
  }
}
