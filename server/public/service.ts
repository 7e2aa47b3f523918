import { Readable } from 'node:stream'
import type { Entry } from '#contract/entries.ts'
import type { Milestone } from '#contract/milestones.ts'
import type { SearchResult } from '#contract/search.ts'
import {
  WORLD_ENTRIES_MAX,
  WORLD_ENTRIES_PER_PAGE,
  type World,
  type WorldEntries,
  type WorldEntry,
  type WorldPage,
  type WorldQuery,
} from '#contract/world.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot, streamSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import {
  findPublished,
  listLastEntries,
  listLastPublicEntries,
  renderEntry,
} from '#server/entries/reading.ts'
import { iterateProjectEntries } from '#server/entries/stream.ts'
import { sizesOfCovers } from '#server/files/cover-size.ts'
import type { UrlOf } from '#server/files/present.ts'
import { listMilestones } from '#server/milestones/service.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { type JsonStream, writeJson } from '#server/platform/api/json-stream.ts'
import { offsetOf, paginate } from '#server/platform/api/pagination.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import { presentFinished } from '#server/projects/finished.ts'
import { searchAsVisitor } from '#server/search/service.ts'
import { countTagged, findPublicPage, listTaggedEntrySummaries, type PublicPageRecord } from './page-store.ts'
import {
  presentEntrySummary,
  presentFollowing,
  presentLatest,
  presentMilestoneSummary,
  presentPublicProject,
  presentTimeline,
} from './present.ts'
import type { ShownProject } from './readers.ts'
import {
  findMilestones,
  findPublicEntry,
  findShownProject,
  listListedProjects,
  type PublicProject,
} from './store.ts'

/** The maximum size of HTML in a feed, in characters. */
const FEED_HTML_MAX = 500_000

/**
 * Returns the data of a public project's page. Throws `not_found` unless the project is public, and `page_not_found` after its
 * last page.
 */
export function readWorldPage(deps: PageDeps, projectId: string, query: WorldQuery): Promise<WorldPage> {
  if (query.tag === undefined) return readPage(deps, { projectId }, query, null)
  const { tag } = query
  return inSnapshot(deps.db, async (db) => {
    await requirePublic(db, projectId)
    return readTaggedPage({ ...deps, db }, { projectId }, { ...query, tag })
  })
}

export type PageDeps = { db: Db; links: Pick<AppDeps['links'], 'open'> }
export type SharedProject = Required<Pick<ShownProject, 'projectId' | 'linkId'>>

/**
 * Returns the data of a page of a project as a share link shows it: under the id of the link, and as a private project. Throws
 * like `readWorldPage`.
 */
export async function readSharedPage(
  deps: Pick<AppDeps, 'db' | 'links'>,
  shown: SharedProject,
  query: WorldQuery,
): Promise<WorldPage> {
  const { tag } = query
  const page = await (tag === undefined
    ? readPage(deps, shown, query, null)
    : inSnapshot(deps.db, (db) => readTaggedPage({ ...deps, db }, shown, { ...query, tag })))
  return { ...page, project: underLink(page.project, shown) }
}

/** A link that shows a part of a project does not tell when the rest was written. */
export const underLink = (project: World['project'], { linkId }: SharedProject) => ({
  ...project,
  _id: linkId,
  lastEntryAt: null,
})

async function readTaggedPage(deps: PageDeps, shown: ShownProject, query: WorldQuery & { tag: string }) {
  const tagged = await readTagged(deps, shown, query.tag, query.page)
  return readPage(deps, shown, tagged ? { ...query, page: 1 } : query, tagged)
}

async function readPage(
  { db, links }: PageDeps,
  shown: ShownProject,
  { milestone, page, order }: Pick<WorldQuery, 'milestone' | 'page' | 'order'>,
  tagged: WorldPage['tagged'],
): Promise<WorldPage> {
  const offset = (page - 1) * WORLD_ENTRIES_PER_PAGE
  const found = await findPublicPage(db, shown, { milestoneId: milestone ?? null, offset, order })
  if (!found) throw notFound('Project')
  return presentPage(found, { page, tagged, links })
}

/** Presents a page of a project. Throws `page_not_found`. */
export function presentPage(
  found: PublicPageRecord,
  { page, tagged, links }: Pick<PageDeps, 'links'> & Pick<WorldPage, 'tagged'> & { page: number },
): WorldPage {
  if (!found.chosen && page > 1) throw pageNotFound()
  const finished = presentFinished(found.finished)
  return {
    project: { ...presentPublicProject(found, links.open), ...(finished && { finished }) },
    milestones: found.milestones.map(presentMilestoneSummary),
    timeline: presentTimeline(found),
    entryCount: found.entry_count,
    days: found.days,
    first: found.first,
    latest: found.latest ? presentLatest(found.latest) : null,
    shown: found.chosen && !tagged ? shownOf(found.chosen, found.entries, page, links.open) : null,
    following: found.following && !tagged ? presentFollowing(found.following, links.open) : null,
    tagged,
  }
}

/** Returns the entries with a tag; null if there are none. */
async function readTagged({ db, links }: PageDeps, shown: ShownProject, tag: string, page: number) {
  const count = await countTagged(db, shown, tag)
  if (count === 0) return null
  const pagination = paginate(count, { page, limit: WORLD_ENTRIES_PER_PAGE })
  if (page > pagination.currentPage) throw pageNotFound()
  const summaries = await listTaggedEntrySummaries(db, { ...shown, tag, offset: offsetOf(pagination) })
  return { tag, entries: summaries.map((row) => presentEntrySummary(row, links.open)), pagination }
}

function shownOf(
  { id, title, description, entry_count }: NonNullable<PublicPageRecord['chosen']>,
  entries: PublicPageRecord['entries'],
  page: number,
  urlOf: UrlOf,
) {
  const pagination = paginate(entry_count, { page, limit: WORLD_ENTRIES_PER_PAGE })
  if (page > pagination.currentPage) throw pageNotFound()
  return {
    _id: id,
    title,
    description,
    entries: entries.map((row) => presentEntrySummary(row, urlOf)),
    pagination,
  }
}

/** Returns an entry of a public project, with its milestone and the entries beside it in the story. Throws `not_found`. */
export async function readWorldEntry(
  deps: AppDeps,
  { projectId, entryId }: { projectId: string; entryId: string },
): Promise<WorldEntry> {
  return readEntryOf(deps, { projectId }, entryId)
}

/**
 * Returns an entry as a share link shows it, under the id of the link. `isAlone`: the link shows nothing else. Throws
 * `not_found`.
 */
export async function readSharedEntry(
  deps: AppDeps,
  { entryId, ...shown }: SharedProject & { entryId: string },
  isAlone: boolean,
): Promise<WorldEntry> {
  const found = await readEntryOf(deps, shown, entryId)
  return { ...found, project: underLink(found.project, shown), ...(isAlone && { isAlone }) }
}

async function readEntryOf(deps: AppDeps, shown: ShownProject, entryId: string): Promise<WorldEntry> {
  const { found, ...around } = await inSnapshot(deps.db, async (db) => {
    const { project, position } = await requirePublicEntry(db, shown, entryId)
    const { milestone_id: milestoneId, milestone_title: title, previous, next } = position
    return {
      project: presentPublicProject(project, deps.links.open),
      milestone: { _id: milestoneId, title },
      found: await findPublished({ ...deps, db }, { milestoneId, entryId }),
      previous,
      next,
    }
  })
  return { ...around, entry: await renderEntry(deps, found) }
}

/** Returns the same as `listWorldEntries`, whose texts can have ten million characters, as a stream. */
export async function* streamWorldEntries(deps: AppDeps, projectId: string): JsonStream<WorldEntries> {
  const { entries, ...around } = await listWorldEntries(deps, projectId)
  yield* writeJson<WorldEntries>({ ...around, entries: Readable.from(entries) })
}

/** Returns the most recently published entries of a public project, with the titles of their milestones. Throws `not_found` unless it is public. */
export async function listWorldEntries(deps: AppDeps, projectId: string): Promise<WorldEntries> {
  const found = await inSnapshot(deps.db, async (db) => {
    const project = await requirePublic(db, projectId)
    const entries = await listLastEntries({ ...deps, db }, null, projectId, {
      limit: WORLD_ENTRIES_MAX,
      htmlMax: FEED_HTML_MAX,
    })
    const milestones = await findMilestones(db, [...new Set(entries.map(({ milestone }) => milestone))])
    return {
      project: presentPublicProject(project),
      changedAt: lastChange(project, entries),
      entries: entries.map((entry) => ({
        ...entry,
        milestoneTitle: milestones.get(entry.milestone)?.title ?? '',
      })),
    }
  })
  return { ...found, entries: await withSizes(deps, found.entries) }
}

/** Adds the sizes of covers, which feeds name. Call it without a connection to the database, because a bucket may be slow. */
async function withSizes<T extends Pick<Entry, 'imageURL'>>(
  deps: AppDeps,
  entries: T[],
): Promise<(T & { imageBytes?: number })[]> {
  const covers = entries.flatMap(({ imageURL }) => imageURL ?? [])
  const sizes = await sizesOfCovers(deps, covers)
  return entries.map((entry) => {
    const imageBytes = sizes.get(entry.imageURL ?? '')
    return imageBytes === undefined ? entry : { ...entry, imageBytes }
  })
}

/** Returns the public and listed projects of an owner, those with the newest entries first. */
export async function readListedProjects(
  db: Db,
  range: { ownerId: string; limit: number; offset: number },
): Promise<World['project'][]> {
  return (await listListedProjects(db, range)).map((row) => presentPublicProject(row))
}

/**
 * Returns the most recently published entries of public projects, each with its milestone's title and its project's id. `findProjects` returns
 * the ids of the projects, of which it has read in this snapshot that they are public.
 */
export async function listEntriesAcross(deps: AppDeps, findProjects: (db: Db) => Promise<string[]>) {
  const found = await inSnapshot(deps.db, async (db) => {
    const within = { ...deps, db }
    const entries = await listLastPublicEntries(within, await findProjects(db), {
      limit: WORLD_ENTRIES_MAX,
      htmlMax: FEED_HTML_MAX,
    })
    const milestones = await findMilestones(db, [...new Set(entries.map(({ milestone }) => milestone))])
    return entries.flatMap((entry) => {
      const milestone = milestones.get(entry.milestone)
      return milestone ? { ...entry, milestoneTitle: milestone.title, projectId: milestone.project_id } : []
    })
  })
  return withSizes(deps, found)
}

/** Searches a public project as a visitor. Throws `not_found` unless it is public, and the errors of a fair queue. */
export function searchPublic(
  run: RunSearch,
  projectId: string,
  { network, ...query }: { q: string; page: number; network: string },
): Promise<{ project: World['project']; result: SearchResult }> {
  return run(clientNamed(network), async (snapshot) => {
    const project = presentPublicProject(await requirePublic(snapshot, projectId))
    const { _id: id, title } = project
    return { project, result: await searchAsVisitor(snapshot, { id, title }, query) }
  })
}

/** Returns the last change of the project or, for projects older than that column, of an entry. */
function lastChange({ changed_at, updated_at }: PublicProject, entries: Entry[]): string {
  const known = changed_at ?? updated_at
  const dates = entries.map(({ updatedAt }) => updatedAt)
  return [known.toISOString(), ...dates].toSorted().at(-1) ?? known.toISOString()
}

/** Streams a public project with all its content, in one snapshot. Throws `not_found` unless it is public. */
export function streamPublicEntries(deps: AppDeps, projectId: string): JsonStream<World> {
  return streamSnapshot(deps.db, async function* (db) {
    const within = { ...deps, db }
    const project = presentPublicProject(await requirePublic(db, projectId))
    const milestones = await listMilestones(within, null, projectId)
    const entries = iterateProjectEntries(within, null, projectId)
    yield* writeJson<World>({ project, milestones: withEntries(milestones, entries) })
  })
}

/** Adds the entries to their milestones. Both are in the same order. */
async function* withEntries(milestones: Milestone[], entries: AsyncGenerator<Entry>) {
  let upcoming = await entries.next()

  async function* entriesOf({ _id }: Milestone) {
    for (; !upcoming.done && upcoming.value.milestone === _id; upcoming = await entries.next())
      yield upcoming.value
  }

  for (const milestone of milestones) yield { ...milestone, entries: entriesOf(milestone) }
}

/** Returns the project if it is public. Throws `not_found` otherwise. */
export const requirePublic = (db: Db, projectId: string): Promise<PublicProject> =>
  requireShown(db, { projectId })

/** Returns the project if it is shown to these readers. Throws `not_found` otherwise. */
export async function requireShown(db: Db, shown: ShownProject): Promise<PublicProject> {
  const project = await findShownProject(db, shown)
  if (!project) throw notFound('Project')
  return project
}

/** Returns a public project and the position of one of its entries. Throws `not_found`. */
export async function requirePublicEntry(db: Db, shown: ShownProject, entryId: string) {
  const project = await findPublicEntry(db, shown, entryId)
  if (!project) throw notFound('Project')
  if (!project.position) throw notFound('Entry')
  return { project, position: project.position }
}

/** The code tells the public page that the project exists. */
export const pageNotFound = () => new AppError('page_not_found', 'Page not found')
