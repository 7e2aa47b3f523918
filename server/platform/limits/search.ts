import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import { overloaded } from '#server/platform/api/errors.ts'
import { type Client, FairQueue } from './fair-queue.ts'

const TIMEOUT_MS = 2_000
/**
 * Reading a row somewhere costs little more than reading the next one: what is searched often is in memory. With PostgreSQL's default,
 * which is meant for disks that seek, the planner would rather read the matches of everybody than some rows of one person.
 */
const RANDOM_PAGE_COST = '1.1'
/** One client may have several tabs to type in. */
const QUEUE = { waiting: 12, each: 6, waitMs: 10_000 }

/**
 * Waits for a slot, then reads in a snapshot like `inSnapshot`. Throws the errors of a fair queue, and
 * `unavailable` if a statement takes too long.
 */
export type RunSearch = <T>(client: Client, read: (db: Kysely<Schema>) => Promise<T>) => Promise<T>

type Options = { atOnce: number; timeoutMs?: number }

/**
 * Limits concurrent searches, which may scan whole milestones or projects, so that the database can serve other
 * requests.
 */
export function createSearch(db: Kysely<Schema>, { atOnce, timeoutMs = TIMEOUT_MS }: Options): RunSearch {
  const queue = new FairQueue({ ...QUEUE, atOnce })
  const limited = <T>(read: (db: Kysely<Schema>) => Promise<T>) =>
    inSnapshot(db, async (snapshot) => {
      await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true),
        set_config('random_page_cost', ${RANDOM_PAGE_COST}, true)`.execute(snapshot)
      return read(snapshot)
    })
  return (client, read) =>
    queue.run(client, () =>
      limited(read).catch((error: unknown) => {
        throw isCancelled(error) ? overloaded('This search takes too long. Try a longer word.', 5) : error
      }),
    )
}

/** SQLSTATE of a statement that was canceled by its timeout or by an operator. */
const isCancelled = (error: unknown) => error instanceof Error && 'code' in error && error.code === '57014'
