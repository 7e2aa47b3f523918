import type { Story, StoryQuery } from '#contract/story.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { listPublishedHtml } from '#server/entries/reading.ts'
import { urlsFor } from '#server/files/present.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { offsetOf, paginate } from '#server/platform/api/pagination.ts'
import { listEntrySummaries } from './page-store.ts'
import { presentPublicProject, presentStoryEntry } from './present.ts'
import type { ShownProject } from './readers.ts'
import { pageNotFound, type SharedProject, underLink } from './service.ts'
import { findPlaceInStory, findStory, type StoryRecord } from './story-store.ts'

/** The maximum size of a part's HTML in characters, beyond which its entries have only an excerpt. */
const HTML_MAX = 1_000_000

/** Returns a part of a public project's story. Throws `not_found` unless it is public, and `page_not_found` after the last part. */
export const readWorldStory = (deps: AppDeps, projectId: string, query: StoryQuery): Promise<Story> =>
  readShownStory(deps, { projectId }, query)

/** Returns a part of the story that a project shows to these readers. Throws like `readWorldStory`. */
export const readShownStory = (deps: AppDeps, shown: ShownProject, query: StoryQuery): Promise<Story> =>
  readPart(deps, { shown, reader: null }, query)

/** Returns a part of the story that a share link shows, under the id of the link. Throws like `readWorldStory`. */
export async function readSharedStory(
  deps: AppDeps,
  shown: SharedProject,
  query: StoryQuery,
): Promise<Story> {
  const found = await readShownStory(deps, shown, query)
  return { ...found, project: underLink(found.project, shown) }
}

/** Returns a part of the story of a project that the caller may view. Throws like `readWorldStory`. */
export function readStory(
  deps: AppDeps,
  caller: Caller | null,
  projectId: string,
  query: StoryQuery,
): Promise<Story> {
  return inSnapshot(deps.db, async (db) => {
    const { isPublic } = await requireAccess(db, caller, 'project:view', { projectId })
    const shown = { projectId, forMembers: !isPublic }
    return readPart({ ...deps, db }, { shown, reader: isPublic ? null : caller }, query)
  })
}

/** Who reads which story. */
type Telling = { shown: ShownProject; reader: Caller | null }

function readPart(deps: AppDeps, { shown, reader }: Telling, query: StoryQuery): Promise<Story> {
  const { limit } = query
  return inSnapshot(deps.db, async (db) => {
    const page = query.entry === undefined ? query.page : await pageWith(db, shown, query.entry, limit)
    const found = await findStory(db, shown, { offset: (page - 1) * limit, limit })
    if (!found) throw notFound('Project')
    const pagination = paginate(found.entry_count, { page, limit })
    if (page > pagination.currentPage) throw pageNotFound()
    const urlOf = urlsFor(deps, reader)
    return {
      project: presentPublicProject(found, urlOf),
      pagination,
      contents: found.contents.map(({ id, title, begins }) => ({
        milestone: id,
        title,
        page: Math.floor(begins / limit) + 1,
      })),
      chapters: await chaptersOf({ ...deps, db }, found, { offset: offsetOf(pagination), reader }),
    }
  })
}

async function pageWith(db: AppDeps['db'], shown: ShownProject, entryId: string, limit: number) {
  const { place = 0 } = (await findPlaceInStory(db, shown, { entryId })) ?? {}
  return Math.floor(place / limit) + 1
}

type Part = { offset: number; reader: Caller | null }

async function chaptersOf(deps: AppDeps, { chapters }: StoryRecord, { offset, reader }: Part) {
  const ids = chapters.flatMap(({ entries }) => entries)
  const rows = new Map((await listEntrySummaries(deps.db, ids)).map((row) => [row.id, row]))
  const htmlOf = await listPublishedHtml(deps, reader, ids, HTML_MAX)
  const urlOf = urlsFor(deps, reader)
  return chapters.map(({ id, title, description, number, begins, entries }) => ({
    _id: id,
    title,
    description,
    number,
    isContinued: begins < offset,
    entries: entries
      .flatMap((entryId) => rows.get(entryId) ?? [])
      .map((row) => presentStoryEntry(row, htmlOf.get(row.id), urlOf)),
  }))
}
