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
