import type { Kysely } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { deleteBeyond, deleteOlder } from './expired-store.ts'

type Deps = { db: Kysely<Schema>; clock: () => Date }

/** How many notifications a person keeps, and for how long. */
export const KEPT = 500
export const KEPT_DAYS = 180

const AT_ONCE = 1_000
const PAUSE_MS = 60 * 60_000

/** Removes notifications that are old, and those of a person beyond the newest, a batch at a time. */
export async function sweepNotifications(db: Kysely<Schema>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60_000)
  await deleteInBatches(db, { name: 'notification sweep', batchSize: AT_ONCE }, async (trx) =>
    Math.max(await deleteOlder(trx, before, AT_ONCE), await deleteBeyond(trx, KEPT, AT_ONCE)),
  )
}

/** Removes old notifications at regular intervals. */
export const notificationSweep = ({ db, clock }: Deps): ScheduledTask => ({
  name: 'removal of old notifications',
  everyMs: PAUSE_MS,
  run: () => sweepNotifications(db, clock()),
})
