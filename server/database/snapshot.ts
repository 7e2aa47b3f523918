import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { OutcomeUnknown } from './outage.ts'
import type { Db, Schema } from './rows.ts'

/**
 * Runs reads in one snapshot of the database, so that a right is not checked in one state and used in another. Within a
 * transaction, reads use its snapshot.
 */
export async function inSnapshot<T>(
  db: Kysely<Schema>,
  read: (db: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return read(db)
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  try {
    return await snapshot.execute(read)
  } catch (error) {
    // The transaction is read-only, so an unknown outcome does not matter.
    throw error instanceof OutcomeUnknown ? error.cause : error
  }
}

/** Like `inSnapshot`, for a stream: the connection is held until the last item was read or the generator returns. */
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

/** The maximum number of rows in memory. An entry may have almost a megabyte. */
export const ROWS_AT_ONCE = 16
/** The maximum pause of a reader between two batches, in seconds. Readers have their own, shorter limits. */
const IDLE_SECONDS = 600

/**
 * Reads the rows of a query in batches with a cursor, on demand. A transaction can have one cursor at a time, which is
 * closed at its end. Each `FETCH` is a separate statement, so that `statement_timeout` applies to it. A protocol-level
 * cursor, such as pg-cursor, would hit that timeout while its reader pauses.
 */
export async function* readByCursor<Row>(
  db: Db,
  query: SelectQueryBuilder<Schema, never, Row>,
): AsyncGenerator<Row, void> {
  await sql`declare streamed no scroll cursor for ${query}`.execute(db)
  const fetch = sql<Row>`fetch ${sql.lit(ROWS_AT_ONCE)} from streamed`
  let { rows } = await fetch.execute(db)
  if (rows.length === ROWS_AT_ONCE)
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(`${IDLE_SECONDS}s`)}`.execute(db)
  for (;;) {
    yield* rows
    if (rows.length < ROWS_AT_ONCE) return
    rows = (await fetch.execute(db)).rows
  }
}
