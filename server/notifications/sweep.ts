import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import { startRepeating } from '#server/platform/repeating.ts'
import { deleteBeyond, deleteOlder, lockSweep } from './store.ts'

/** How many notifications a person keeps, and for how long. */
export const KEPT = 500
export const KEPT_DAYS = 180

const BATCH = 1_000
const PAUSE_MS = 60 * 60_000

/** Removes notifications that are old, and those of a person beyond the newest, a batch at a time. */
export async function sweepNotifications(db: Kysely<Schema>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60_000)
  for (;;) {
    const most = await db.transaction().execute(async (trx) => {
      if (!(await lockSweep(trx))) return 0
      return Math.max(await deleteOlder(trx, before, BATCH), await deleteBeyond(trx, KEPT, BATCH))
    })
    if (most < BATCH) return
  }
}

/** Sweeps regularly until the returned function is called, which waits for a running sweep. */
export function startSweepingNotifications(deps: {
  db: Kysely<Schema>
  log: Logger
  clock: () => Date
}): () => Promise<void> {
  const { db, log, clock } = deps
  return startRepeating(() => sweepNotifications(db, clock()), {
    name: 'the sweep of notifications',
    pauseMs: PAUSE_MS,
    log,
  })
}
