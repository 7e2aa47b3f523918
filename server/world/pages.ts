import { WORLD_ENTRIES_PER_PAGE, type WorldEntry, type WorldPage, type WorldQuery } from '#contract/world.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { findForReading, readFound } from '#server/entries/service.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import { offsetOf, paginate } from '#server/platform/pagination.ts'
import { presentLine, presentPublicProject, presentStop } from './present.ts'
import {
  findDescription,
  findEntryPlace,
  findPublicProject,
  listLines,
  listStops,
  type PublicProject,
  type StopRecord,
} from './store.ts'

/** What a page of a public project shows, and no more. Throws `not_found` unless the project is public and has the page. */
export function readWorldPage(
  { db }: Pick<AppDeps, 'db'>,
  projectId: string,
  { milestone, page }: WorldQuery,
): Promise<WorldPage> {
  return inSnapshot(db, async (snapshot) => {
    const project = await demandPublic(snapshot, projectId)
    const stops = await listStops(snapshot, projectId)
    const stop = stops.find(({ id }) => id === milestone) ?? stops[0]
    if (!stop && page > 1) throw pageNotFound()
    return {
      project: presentPublicProject(project),
      milestones: stops.map(presentStop),
      shown: stop ? await readShown(snapshot, stop, page) : null,
    }
  })
}

async function readShown(db: Db, { id, title, entry_count }: StopRecord, page: number) {
  const pagination = paginate(entry_count, { page, limit: WORLD_ENTRIES_PER_PAGE })
  if (page > pagination.currentPage) throw pageNotFound()
  const description = await findDescription(db, id)
  const lines =
    entry_count === 0
      ? []
      : await listLines(db, id, { limit: pagination.limit, offset: offsetOf(pagination) })
  return { _id: id, title, description, entries: lines.map(presentLine), pagination }
}

/** An entry of a public project with where it stands. Throws `not_found` unless it is one. */
export async function readWorldEntry(
  deps: AppDeps,
  { projectId, entryId }: { projectId: string; entryId: string },
): Promise<WorldEntry> {
  const { found, ...around } = await inSnapshot(deps.db, async (db) => {
    const project = await demandPublic(db, projectId)
    const place = await findEntryPlace(db, projectId, entryId)
    if (!place) throw notFound('Entry')
    const { milestone_id: milestoneId, milestone_title: title, previous, next } = place
    return {
      project: presentPublicProject(project),
      milestone: { _id: milestoneId, title },
      found: await findForReading({ ...deps, db }, null, { milestoneId, entryId }),
      previous,
      next,
    }
  })
  return { ...around, entry: await readFound(deps, found) }
}

/** A project that has no such page of entries: how its public page tells it from a missing project. */
const pageNotFound = () => new AppError('page_not_found', 'Page not found')

/** A project that everybody may read. Throws `not_found` unless it is one. */
export async function demandPublic(db: Db, projectId: string): Promise<PublicProject> {
  const project = await findPublicProject(db, projectId)
  if (!project) throw notFound('Project')
  return project
}
