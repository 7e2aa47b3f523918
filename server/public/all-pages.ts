import { STORY_ENTRIES_PER_PAGE, type Story } from '#contract/story.ts'
import { WORLD_ENTRIES_PER_PAGE, type World, type WorldEntry, type WorldPage } from '#contract/world.ts'
import type { AppDeps } from '#server/deps.ts'
import { findPublished, renderEntry } from '#server/entries/reading.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { offsetOf, paginate } from '#server/platform/api/pagination.ts'
import { findPagePart, findPublicPage, listEntrySummaries, listTaggedIds } from './page-store.ts'
import { presentEntrySummary } from './present.ts'
import type { ShownProject } from './readers.ts'
import { presentPage } from './service.ts'
import { readShownStory } from './story.ts'

/** A page of the entries of a milestone, by default the first one, or of those with a tag. */
type PageQuery = { milestone?: string | undefined; tag?: string | undefined; page: number }

/** An entry, and where it is in the story. */
export type PlacedEntry = Pick<WorldEntry, 'milestone' | 'previous' | 'next'> & { id: string }

export type AllPages = {
  project: World['project']
  page: (query: PageQuery) => Promise<WorldPage>
  story: (page: number) => Promise<Story>
  entry: (placed: PlacedEntry) => Promise<WorldEntry>
}

/**
 * Opens a shown project to read all its pages within one snapshot. What is the same on all of them is read once, so that reading a project
 * of many milestones takes as long for each page as one of few. Throws `not_found` unless it is shown.
 */
export async function openAllPages(deps: AppDeps, shown: ShownProject): Promise<AllPages> {
  const { db, links } = deps
  const { projectId } = shown
  const whole = await findPublicPage(db, shown, { milestoneId: null, offset: 0, order: 'oldest' })
  if (!whole) throw notFound('Project')
  const { project } = presentPage(whole, { page: 1, tagged: null, links })
  let last: { tag: string; ids: string[] } | undefined

  async function taggedAt(tag: string, page: number): Promise<WorldPage['tagged']> {
    if (last?.tag !== tag) last = { tag, ids: (await listTaggedIds(db, projectId, tag)).map(({ id }) => id) }
    const pagination = paginate(last.ids.length, { page, limit: WORLD_ENTRIES_PER_PAGE })
    const offset = offsetOf(pagination)
    const rows = await listEntrySummaries(db, last.ids.slice(offset, offset + WORLD_ENTRIES_PER_PAGE))
    return { tag, entries: rows.map((row) => presentEntrySummary(row, links.open)), pagination }
  }

  return {
    project,
    async page({ milestone, tag, page }) {
      const offset = tag === undefined ? (page - 1) * WORLD_ENTRIES_PER_PAGE : 0
      const part = await findPagePart(db, shown, { milestoneId: milestone ?? null, offset })
      const tagged = tag === undefined ? null : await taggedAt(tag, page)
      return presentPage({ ...whole, ...part }, { page: tagged ? 1 : page, tagged, links })
    },
    story: (page) => readShownStory(deps, shown, { page, entry: undefined, limit: STORY_ENTRIES_PER_PAGE }),
    async entry({ id: entryId, milestone, previous, next }) {
      const found = await findPublished(deps, { milestoneId: milestone._id, entryId })
      return { project, milestone, entry: await renderEntry(deps, found), previous, next }
    },
  }
}
