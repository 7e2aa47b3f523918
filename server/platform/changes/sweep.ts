import { type Kysely, sql } from 'kysely'
import { DAY_MS } from '#contract/parts/durations.ts'
import type { Schema } from '#server/database/rows.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'

const BATCH = 1_000
const PAUSE_MS = 10 * 60_000

/** For how many days a row is kept. Servers of former releases store responses under keys for a day. */
const KEPT = [
  { table: 'removed_ids', column: 'removed_at', days: 400 },
  { table: 'restorations', column: 'restored_at', days: 400 },
  { table: 'idempotency_keys', column: 'created_at', days: 1 },
] as const

/** Deletes ids that no request sends again any more, in batches. */
export async function sweepChanges(db: Kysely<Schema>, now: Date): Promise<void> {
  for (const { table, column, days } of KEPT) {
    const before = new Date(now.getTime() - days * DAY_MS)
    await deleteInBatches(db, { name: 'sweep of old ids', batchSize: BATCH }, async (trx) => {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid in (
          select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${before}
          limit ${BATCH} for update skip locked)`.execute(trx)
      return Number(numAffectedRows)
    })
  }
}

/** Deletes old ids at regular intervals. */
export const changeSweep = ({ db, clock }: { db: Kysely<Schema>; clock: () => Date }): ScheduledTask => ({
  name: 'removal of old ids',
  everyMs: PAUSE_MS,
  run: () => sweepChanges(db, clock()),
})
