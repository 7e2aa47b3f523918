import type { MissingPage, Page } from '#contract/rendering.ts'
import { STORY_ENTRIES_MAX, STORY_ENTRIES_PER_PAGE } from '#contract/story.ts'
import { findProjectAt } from '#server/addresses/service.ts'
import type { AppDeps } from '#server/deps.ts'
import {
  type FeaturePages,
  NoSuchPage,
  type PageMounting,
  type PageSource,
  type PublicReader,
  ShownElsewhere,
} from '#server/pages/sources.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { createBatchLoader } from '#server/platform/batch-loader.ts'
import { listWorldEntries, readWorldEntry, readWorldPage, searchPublic } from './service.ts'
import { findPublicVersions } from './store.ts'
import { readWorldStory } from './story.ts'

/** Reads projects that are public. */
export const createPublicReader = (deps: AppDeps): PublicReader => ({
  page: (projectId, query) => readWorldPage(deps, projectId, query),
  entry: (ids) => readWorldEntry(deps, ids),
  entries: (projectId) => listWorldEntries(deps, projectId),
  story: (projectId, query) => readWorldStory(deps, projectId, query),
})

/** The pages of public projects. */
export const publicPages = ({ deps, search }: PageMounting): FeaturePages => ({
  sources: {
    ...projectSources(createPublicReader(deps)),
    search: {
      missing,
      isUncached: true,
      async read({ values: { projectId = '', q = '', page = 1 } }, { network }) {
        const query = { q, page: Number(page), network }
        return { kind: 'search', q, ...(await searchPublic(search, projectId, query)) }
      },
    },
  },
  subjects: {
    projectId: {
      version: createBatchLoader((projectIds) => findPublicVersions(deps.db, projectIds)),
      async pathOf(slug) {
        const id = await findProjectAt(deps.db, slug)
        return id === null ? null : `/world/${id}`
      },
    },
  },
})

const missing: MissingPage = { kind: 'missing', what: 'project' }

type Read = PageSource['read']

/** Reads the pages of projects, through the reader of whoever asks or else through this one. */
export function projectSources(publicReader: PublicReader): NonNullable<FeaturePages['sources']> {
  const feed = (format: 'atom' | 'rss' | 'json'): PageSource => ({
    missing,
    read: async ({ values: { projectId = '' } }, { reader = publicReader }) => ({
      kind: `feed.${format}`,
      found: await reader.entries(projectId),
    }),
  })
  const readProject: Read = async ({ values }, { reader = publicReader }) => {
    const { projectId = '', milestone, tag, page } = values
    const order = values.order === 'newest' ? 'newest' : 'oldest'
    const found = await reader.page(projectId, { milestone, tag, order, page: Number(page ?? 1) })
    const isOther = milestone !== undefined && found.shown !== null && found.shown._id !== milestone
    if (isOther || (tag !== undefined && found.tagged === null)) throw new ShownElsewhere()
    return { kind: 'project', found, order }
  }
  const readEntry: Read = async ({ values: { projectId = '', entryId = '' } }, { reader = publicReader }) => {
    try {
      return { kind: 'entry', found: await reader.entry({ projectId, entryId }) }
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error
      const { _id, title } = (await reader.page(projectId, FIRST)).project
      throw new NoSuchPage({ kind: 'missing', what: 'entry', project: { _id, title } })
    }
  }
  const story = (kind: 'story' | 'story.print', limit: number): PageSource => ({
    missing,
    read: withoutLaterPages(async ({ values }, { reader = publicReader }) => {
      const { projectId = '', page, entry } = values
      const found = await reader.story(projectId, { page: Number(page ?? 1), entry, limit })
      if (entry === undefined) return { kind, found }
      const { currentPage } = found.pagination
      throw new ShownElsewhere(`${currentPage > 1 ? `?page=${currentPage}` : ''}#entry-${entry}`)
    }),
  })
  return {
    project: { missing, read: withoutLaterPages(readProject) },
    entry: { missing: { kind: 'missing', what: 'entry' }, read: readEntry },
    story: story('story', STORY_ENTRIES_PER_PAGE),
    'story.print': story('story.print', STORY_ENTRIES_MAX),
    'feed.atom': feed('atom'),
    'feed.rss': feed('rss'),
    'feed.json': feed('json'),
  }
}

const FIRST = { milestone: undefined, tag: undefined, order: 'oldest', page: 1 } as const

/** Says that a project has no page after its last. Of a milestone or tag that it does not have, no page is missing. */
function withoutLaterPages(read: Read): Read {
  return async (asked, by): Promise<Page> => {
    try {
      return await read(asked, by)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'page_not_found')) throw error
      const { page: _page, ...values } = asked.values
      await read({ ...asked, values }, by)
      throw new NoSuchPage({ kind: 'missing', what: 'page of project', projectId: values.projectId ?? '' })
    }
  }
}
