import type { TaskDeps } from '#server/feature.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { transact } from '#server/platform/transact.ts'
import { deleteEmails, NEWS_DAYS, takeNews } from './email-store.ts'
import { deleteOldNews, deleteUnconfirmed } from './store.ts'

const QUEUEING_EVERY_MS = 60_000
const SWEEPING_EVERY_MS = 60 * 60_000
const BATCH = 200
/** How long somebody may take to confirm that they want to follow. */
const UNCONFIRMED_DAYS = 3
const EMAILS_DAYS = 30

type Deps = Pick<TaskDeps, 'db' | 'events' | 'emailQueues'>

/** Queues the emails to followers that are due. */
export const queueingOfFollowerEmails = (deps: Deps): ScheduledTask => ({
  name: 'queueing of emails to followers',
  everyMs: QUEUEING_EVERY_MS,
  run: (stop) => queueFollowerEmails(deps, stop),
})

export async function queueFollowerEmails(deps: Deps, stop?: AbortSignal): Promise<void> {
  const emails = deps.emailQueues?.followers
  if (!emails) return
  for (;;) {
    const taken = await transact(deps, async (trx) => {
      const ids = await takeNews(trx, BATCH)
      for (const email of ids) await emails.add(trx, { email })
      return ids.length
    })
    if (taken > 0) emails.wake()
    if (taken < BATCH || stop?.aborted) return
  }
}

/** Removes old news, records of old emails, and the addresses of those who have not confirmed. */
export const followerSweep = ({ db }: Deps): ScheduledTask => ({
  name: 'removal of old news of followers',
  everyMs: SWEEPING_EVERY_MS,
  run: (stop) =>
    deleteInBatches(db, { name: 'follower sweep', batchSize: BATCH, ...(stop && { stop }) }, async (trx) =>
      Math.max(
        await deleteOldNews(trx, NEWS_DAYS, BATCH),
        await deleteUnconfirmed(trx, UNCONFIRMED_DAYS, BATCH),
        await deleteEmails(trx, EMAILS_DAYS, BATCH),
      ),
    ),
})
