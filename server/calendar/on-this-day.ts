import type { DatedEntry } from '#contract/calendar.ts'
import { FIRST_YEAR } from '#contract/parts/date-formats.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { projectsOf, requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { datedPresenter } from './present.ts'
import { listForgotten, listOfDays, saveRemembered } from './store.ts'

const SHOWN_MAX = 5

/**
 * Returns entries that happened on this day in earlier years, in all projects in which the caller takes part and that they do not
 * hide. The caller's day is theirs: nothing is compared with an instant.
 */
export function listOnThisDay(
  deps: AppDeps,
  caller: Caller,
  date: string,
): Promise<{ entries: DatedEntry[] }> {
  return inSnapshot(deps.db, async (db) => {
    const all = await projectsOf(db, caller)
    const forgotten = await listForgotten(
      db,
      caller.userId,
      all.map(({ id }) => id),
    )
    const projects = all.filter(({ id }) => !forgotten.includes(id))
    const rows = await listOfDays(db, {
      projectIds: projects.map(({ id }) => id),
      days: anniversariesOf(date),
      limit: SHOWN_MAX,
    })
    return { entries: rows.map(datedPresenter(deps, caller, projects)) }
  })
}

/**
 * Returns the days of earlier years that a day remembers: the same ones and, on 28 February of a year that has no 29th, those of
 * leap years too.
 */
export function anniversariesOf(date: string): string[] {
  const year = Number(date.slice(0, 4))
  const ends = [date.slice(5), ...(date.endsWith('02-28') && !isLeap(year) ? ['02-29'] : [])]
  return Array.from({ length: Math.max(0, year - FIRST_YEAR) }, (_, index) => year - 1 - index).flatMap(
    (earlier) => ends.filter((end) => end !== '02-29' || isLeap(earlier)).map((end) => `${earlier}-${end}`),
  )
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Chooses whether the caller's dashboard shows entries of a project on their anniversaries. Throws `not_found`. */
export async function updateOnThisDay(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  { isRemembered }: { isRemembered: boolean },
): Promise<void> {
  await requireAccess(deps.db, caller, 'activity:view', { projectId })
  await saveRemembered(deps.db, { userId: caller.userId, projectId, isRemembered })
}
