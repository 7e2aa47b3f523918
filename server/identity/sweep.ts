import type { Kysely } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { oldestSession } from './sessions.ts'
import { deleteExpired } from './store.ts'

type Deps = { db: Kysely<Schema>; clock: () => Date }

const BATCH = 1_000
const PAUSE_MS = 10 * 60_000

/** Deletes expired sessions, confirmation links and counts of rate limits, a batch at a time. */
export async function sweepIdentity(db: Kysely<Schema>, now: Date): Promise<void> {
  const bounds = {
    now,
    sessionsBefore: oldestSession(now),
  }
  await deleteInBatches(db, { name: 'identity sweep', batchSize: BATCH }, (trx) =>
    deleteExpired(trx, bounds, BATCH),
  )
}

/** Removes what has expired at regular intervals. */
export const identitySweep = ({ db, clock }: Deps): ScheduledTask => ({
  name: 'removal of expired sessions',
  everyMs: PAUSE_MS,
  run: () => sweepIdentity(db, clock()),
})
