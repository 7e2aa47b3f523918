import { AppError } from '#server/platform/api/errors.ts'
import { unrepeated } from '#server/platform/changes/changes.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { type DueEntry, listDue, takeSchedule } from './schedule-store.ts'
import type { WritingDeps } from './service.ts'
import { updateEntry } from './updating.ts'

const EVERY_MS = 5_000
const BATCH = 100
const AT_ONCE = 4

/** Publishes the entries whose time has come. Any number of servers may run it at once. */
export const publishingOfDue = (deps: WritingDeps): ScheduledTask => ({
  name: 'publishing of entries',
  everyMs: EVERY_MS,
  run: (stop) => publishDue(deps, stop),
})

/** Publishes all that is due. What cannot be published yet holds up nothing else, and is tried again by the next run. */
export async function publishDue(deps: WritingDeps, stop?: AbortSignal): Promise<void> {
  let last: DueEntry | undefined
  do {
    const due = await listDue(deps.db, BATCH, last)
    for (let from = 0; from < due.length; from += AT_ONCE) {
      if (stop?.aborted) return
      await Promise.all(due.slice(from, from + AT_ONCE).map((entry) => publishOne(deps, entry)))
    }
    last = due.length < BATCH ? undefined : due.at(-1)
  } while (last)
}

/**
 * Publishes one entry as its author would: with the activity, the webhooks and the index of the search in the same transaction. What
 * its author may no longer publish stays unpublished, without a time.
 */
async function publishOne(deps: WritingDeps, { entryId, at, milestoneId, authorId }: DueEntry) {
  if (milestoneId === null || authorId === null) {
    await takeSchedule(deps.db, entryId, at)
    return
  }
  const author = { userId: authorId, sessionId: '' }
  const fields = { state: 'published' as const }
  try {
    const update = { fields, cause: 'save' as const, due: at }
    await updateEntry(deps, author, { milestoneId, entryId }, update, undefined, unrepeated)
  } catch (error) {
    if (error instanceof AppError && ['not_found', 'forbidden'].includes(error.code))
      await takeSchedule(deps.db, entryId, at)
    else deps.log.warn({ err: error, entry: entryId }, 'an entry could not be published yet')
  }
}
