import type { z } from 'zod'
import {
  type CountedDay,
  type calendarCalls,
  DAY_ENTRIES_PER_PAGE,
  type DatedEntry,
  type Numbers,
} from '#contract/calendar.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import type { Pagination } from '#contract/parts/pagination.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { projectsOf, requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { offsetOf, paginate } from '#server/platform/api/pagination.ts'
import { datedPresenter } from './present.ts'
import { countAll, countByDay, countDay, listForgotten, listOfDay } from './store.ts'

type DaysQuery = z.output<(typeof calendarCalls.listDays)['query']>
type DayQuery = z.output<(typeof calendarCalls.listDay)['query']>

/** Returns the days with entries in a range, of a project or of all in which the caller takes part. Throws `not_found`. */
export function listDays(
  deps: AppDeps,
  caller: Caller,
  { from, to, project }: DaysQuery,
): Promise<{ days: CountedDay[] }> {
  return inSnapshot(deps.db, async (db) => {
    const projectIds = idsOf(await requireProjects(db, caller, project))
    return { days: await countByDay(db, { projectIds, from, to }) }
  })
}

/** Returns a page of the entries of a day, the latest first. Throws `not_found`. */
export function listDay(
  deps: AppDeps,
  caller: Caller,
  { day, page, project }: DayQuery,
): Promise<{ entries: DatedEntry[]; pagination: Pagination }> {
  return inSnapshot(deps.db, async (db) => {
    const projects = await requireProjects(db, caller, project)
    const of = { projectIds: idsOf(projects), day }
    const pagination = paginate(await countDay(db, of), { page, limit: DAY_ENTRIES_PER_PAGE })
    const rows = await listOfDay(db, { ...of, offset: offsetOf(pagination), limit: DAY_ENTRIES_PER_PAGE })
    return { entries: rows.map(datedPresenter(deps, caller, projects)), pagination }
  })
}

/** Returns the numbers of a project or of all in which the caller takes part. Throws `not_found`. */
export function readNumbers(deps: AppDeps, caller: Caller, project: string | undefined): Promise<Numbers> {
  return inSnapshot(deps.db, async (db) => {
    const projectIds = idsOf(await requireProjects(db, caller, project))
    const row = await countAll(db, projectIds)
    const { days, entries, words, pictures, first_day, last_day, pause_from: from, pause_to: to } = row
    return {
      days,
      entries,
      words,
      pictures,
      firstDay: first_day,
      lastDay: last_day,
      longestPause:
        from === null || to === null
          ? null
          : { from, to, days: (Date.parse(to) - Date.parse(from)) / DAY_MS - 1 },
      ...(project !== undefined && {
        isRemembered: (await listForgotten(db, caller.userId, [project])).length === 0,
      }),
    }
  })
}

type Shown = { id: string; isPublic: boolean }

/** Returns the requested project, if the caller may view it, or all in which they take part. */
async function requireProjects(db: Db, caller: Caller, project: string | undefined): Promise<Shown[]> {
  if (project === undefined) return projectsOf(db, caller)
  const { projectId, isPublic } = await requireAccess(db, caller, 'project:view', { projectId: project })
  return [{ id: projectId, isPublic }]
}

const idsOf = (projects: Shown[]) => projects.map(({ id }) => id)
