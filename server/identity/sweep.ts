import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import { startRepeating } from '#server/platform/schedule.ts'
import { deleteExpired, lockSweep } from './expired-store.ts'
import { oldestSession } from './service.ts'

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
  for (;;) {
    const most = await db
      .transaction()
      .execute(async (trx) => ((await lockSweep(trx)) ? deleteExpired(trx, bounds, AT_ONCE) : 0))
    if (most < AT_ONCE) return
  }
}

/** Sweeps now and then until the function that it answers is called, which waits for a sweep that runs. */
export function startSweepingIdentity(means: {
  db: Kysely<Schema>
  log: Logger
  clock: () => Date
}): () => Promise<void> {
  const { db, log, clock } = means
  return startRepeating(() => sweepIdentity(db, clock()), {
    name: 'the sweep of sessions',
    pauseMs: PAUSE_MS,
    log,
  })
}
