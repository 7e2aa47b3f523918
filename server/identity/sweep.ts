import type { Kysely } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { deleteExpired } from './expired-store.ts'
import { oldestSession } from './service.ts'

type Deps = { db: Kysely<Schema>; clock: () => Date }

const AT_ONCE = 1_000
const PAUSE_MS = 10 * 60_000
/** Longer than any window of the provider's limits. */
const LIMITS_MS = 60 * 60_000

/** Removes sessions, links, attempts and counts of limits that have expired, a batch at a time. */
export async function sweepIdentity(db: Kysely<Schema>, now: Date): Promise<void> {
  const bounds = {
    now,
    sessionsBefore: oldestSession(now),
    limitsBefore: new Date(now.getTime() - LIMITS_MS),
  }
  await deleteInBatches(db, { name: 'identity sweep', batchSize: AT_ONCE }, (trx) =>
    deleteExpired(trx, bounds, AT_ONCE),
  )
}

/** Removes what has expired at regular intervals. */
export const identitySweep = ({ db, clock }: Deps): ScheduledTask => ({
  name: 'removal of expired sessions',
  everyMs: PAUSE_MS,
  run: () => sweepIdentity(db, clock()),
})
