import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { OutcomeUnknown } from './outage.ts'
import type { Db, Schema } from './rows.ts'

/**
 * Runs reads in one snapshot of the database, so that a right is not checked in one state and used in the next. Within
 * a transaction they already share its snapshot.
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
    // Nothing was to be saved.
    throw error instanceof OutcomeUnknown ? error.cause : error
  }
}

/**
 * As `inSnapshot`, for a stream: the connection is held from the first item to the last, or
 * until the generator returns.
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

/** An entry may have close to a megabyte; no more rows than these are ever held. */
export const ROWS_AT_ONCE = 16
/** How long the reader of the rows may do something else, in seconds. Its reader ends it earlier. */
const IDLE_SECONDS = 600

/**
 * Reads the rows of a query by a cursor, some at a time, when they are asked for. One at a time in a transaction, with
 * whose end it is closed. `FETCH` is a statement of its own each time, so that the limit on the time of a statement
 * holds; a cursor of the protocol, as pg-cursor has it, is ended by that limit while its reader waits.
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
