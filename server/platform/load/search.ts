import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import { overloaded } from '#server/platform/errors.ts'
import { limitConcurrency } from './concurrency.ts'

const TIMEOUT_MS = 2_000
/** The maximum number of waiting searches. */
const WAITING = 12
/** The maximum number of running and waiting searches of one client, who may type in several tabs. */
const EACH = 6

/**
 * Waits for a slot, then reads in a snapshot like `inSnapshot`. Throws `unavailable` if too many searches wait, or a
 * statement takes too long.
 */
export type RunSearch = <T>(client: string, read: (db: Kysely<Schema>) => Promise<T>) => Promise<T>

type Options = { atOnce: number; timeoutMs?: number }

/**
 * Limits concurrent searches, which may scan whole milestones or projects, so that the database can serve other
 * requests.
 */
export function createSearch(db: Kysely<Schema>, { atOnce, timeoutMs = TIMEOUT_MS }: Options): RunSearch {
  const acquire = limitConcurrency({ atOnce, waiting: WAITING, each: EACH })
  return async (client, read) => {
    const release = await acquire(client)
    try {
      return await inSnapshot(db, async (snapshot) => {
        await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(snapshot)
        return read(snapshot)
      })
    } catch (error) {
      throw isCancelled(error) ? overloaded('This search takes too long. Try a longer word.', 5) : error
    } finally {
      release()
    }
  }
}

/** SQLSTATE of a statement that was canceled by its timeout or by an operator. */
const isCancelled = (error: unknown) => error instanceof Error && 'code' in error && error.code === '57014'
