import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import { startRepeating } from '#server/platform/repeating.ts'
import { oldestSession } from './sessions.ts'
import { deleteExpired, lockSweep } from './store.ts'

const BATCH = 1_000
const PAUSE_MS = 10 * 60_000

/** Deletes expired sessions, confirmation links and counts of rate limits, a batch at a time. */
export async function sweepIdentity(db: Kysely<Schema>, now: Date): Promise<void> {
  const bounds = {
    now,
    sessionsBefore: oldestSession(now),
  }
  for (;;) {
    const most = await db
      .transaction()
      .execute(async (trx) => ((await lockSweep(trx)) ? deleteExpired(trx, bounds, BATCH) : 0))
    if (most < BATCH) return
  }
}

/** Sweeps every ten minutes. Returns a function that stops this, after waiting for a running sweep. */
export function startSweepingIdentity(deps: {
  db: Kysely<Schema>
  log: Logger
  clock: () => Date
}): () => Promise<void> {
  const { db, log, clock } = deps
  return startRepeating(() => sweepIdentity(db, clock()), {
    name: 'the sweep of sessions',
    pauseMs: PAUSE_MS,
    log,
  })
}
