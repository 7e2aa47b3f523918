import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import { startRepeating } from '#server/platform/schedule.ts'
import { deleteBeyond, deleteOlder, lockSweep } from './expired-store.ts'

/** How many notifications a person keeps, and for how long. */
export const KEPT = 500
export const KEPT_DAYS = 180

const AT_ONCE = 1_000
const PAUSE_MS = 60 * 60_000

/** Removes notifications that are old, and those of a person beyond the newest, a batch at a time. */
export async function sweepNotifications(db: Kysely<Schema>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60_000)
  for (;;) {
    const most = await db.transaction().execute(async (trx) => {
      if (!(await lockSweep(trx))) return 0
      return Math.max(await deleteOlder(trx, before, AT_ONCE), await deleteBeyond(trx, KEPT, AT_ONCE))
    })
    if (most < AT_ONCE) return
  }
}

/** Sweeps now and then until the function that it answers is called, which waits for a sweep that runs. */
export function startSweepingNotifications(means: {
  db: Kysely<Schema>
  log: Logger
  clock: () => Date
}): () => Promise<void> {
  const { db, log, clock } = means
  return startRepeating(() => sweepNotifications(db, clock()), {
    name: 'the sweep of notifications',
    pauseMs: PAUSE_MS,
    log,
  })
}
