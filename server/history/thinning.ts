import { DAY_MS } from '#contract/parts/durations.ts'
import type { AppDeps } from '#server/deps.ts'
import { lockForChange } from '#server/permissions/access.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import type { HistorySettings } from './settings.ts'
import { listDue, thinOut } from './thinning-store.ts'

const BATCH = 500
const PAUSE_MS = 60 * 60_000

/** Superseded revisions are stored for this long, as bases of merges. */
const SUPERSEDED_DAYS = 30

type Deps = Pick<AppDeps, 'db' | 'clock'> & HistorySettings

/**
 * Thins out the histories of entries: after `historyDays` one revision a day remains, after `historyDailyDays` one a week.
 * Named revisions, current revisions and bases of autosaved drafts remain.
 */
export async function thinHistories(
  { db, clock, historyDays, historyDailyDays }: Deps,
  stop?: AbortSignal,
): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * DAY_MS)
  const dates = {
    superseded: before(SUPERSEDED_DAYS),
    daily: before(historyDays),
    weekly: before(historyDailyDays),
  }
  await deleteInBatches(db, { name: 'thinning of histories', batchSize: BATCH, stop }, async (trx) => {
    const due = await listDue(trx, dates, BATCH)
    // Locks projects like writers do, ordered by id, because deletions change the size of a project.
    const projects = [...new Set(due.map(({ projectId }) => projectId))].toSorted()
    for (const projectId of projects) await lockForChange(trx, projectId)
    const ids = due.map(({ id }) => id)
    if (ids.length > 0) await thinOut(trx, ids, dates)
    return due.length
  })
}

/** Schedules the thinning of histories. */
export const historySweep = (deps: Deps): ScheduledTask => ({
  name: 'thinning of histories',
  everyMs: PAUSE_MS,
  run: (stop) => thinHistories(deps, stop),
})
