import type { AppDeps } from '#server/deps.ts'
import { lockForChange } from '#server/permissions/access.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { transact } from '#server/platform/transact.ts'
import { tellOfDue } from './news.ts'
import { listDue, recordReminder } from './store.ts'

const EVERY_MS = 60_000
const BATCH = 100
/** How long after its day members are still told of a milestone, if no server ran. */
const LATE_DAYS = 3

type Deps = Pick<AppDeps, 'db' | 'events' | 'clock'>

/** Tells members once of each milestone that is due. Any number of servers may run it at once. */
export const remindingOfDue = (deps: Deps): ScheduledTask => ({
  name: 'reminding of milestones',
  everyMs: EVERY_MS,
  run: (stop) => remindOfDue(deps, stop),
})

export async function remindOfDue(deps: Deps, stop?: AbortSignal): Promise<void> {
  for (;;) {
    const due = await listDue(deps.db, { now: deps.clock(), days: LATE_DAYS, limit: BATCH })
    for (const milestone of due) {
      if (stop?.aborted) return
      await transact(deps, async (trx, publish) => {
        await lockForChange(trx, milestone.projectId)
        if (await recordReminder(trx, milestone))
          await tellOfDue({ trx, publish, now: deps.clock() }, milestone)
      })
    }
    if (due.length < BATCH) return
  }
}
