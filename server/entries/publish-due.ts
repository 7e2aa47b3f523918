import { unrepeated } from '#server/platform/changes/changes.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { type DueEntry, listDue, takeSchedule } from './schedule-store.ts'
import { updateEntry, type WritingDeps } from './service.ts'

const EVERY_MS = 5_000
const BATCH = 100
const AT_ONCE = 4

/** Publishes the drafts whose time has come. Any number of servers may run it at once. */
export const publishingOfDue = (deps: WritingDeps): ScheduledTask => ({
  name: 'publishing of entries',
  everyMs: EVERY_MS,
  run: (stop) => publishDue(deps, stop),
})

/** Publishes what is due, until nothing is, or until a batch could not be published. */
export async function publishDue(deps: WritingDeps, stop?: AbortSignal): Promise<void> {
  for (;;) {
    const due = await listDue(deps.db, BATCH)
    let failed = 0
    for (let from = 0; from < due.length; from += AT_ONCE) {
      if (stop?.aborted) return
      const outcomes = await Promise.all(
        due.slice(from, from + AT_ONCE).map((entry) => publishOne(deps, entry)),
      )
      failed += outcomes.filter((isDone) => !isDone).length
    }
    if (due.length < BATCH || failed === due.length) return
  }
}

/**
 * Publishes one entry as its author would: with the activity, the webhooks and the index of the search in the same transaction. What
 * its author may no longer publish stays a draft without a time. Returns whether it is settled.
 */
async function publishOne(deps: WritingDeps, { entryId, at, milestoneId, authorId }: DueEntry) {
  if (milestoneId === null || authorId === null) return takeSchedule(deps.db, entryId, at)
  const author = { userId: authorId, sessionId: '' }
  const fields = { state: 'published' as const }
  try {
    const update = { fields, cause: 'save' as const, due: at }
    await updateEntry(deps, author, { milestoneId, entryId }, update, undefined, unrepeated)
    return true
  } catch (error) {
    if (error instanceof AppError && ['not_found', 'forbidden'].includes(error.code))
      return takeSchedule(deps.db, entryId, at)
    deps.log.warn({ err: error, entry: entryId }, 'an entry could not be published yet')
    return false
  }
}
