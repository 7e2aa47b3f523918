import type { Page, PageSettings } from '#contract/rendering.ts'
import { STORY_ENTRIES_PER_PAGE } from '#contract/story.ts'
import { WORLD_ENTRIES_PER_PAGE } from '#contract/world.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import type { TemporaryFile } from '#server/export/temporary-file.ts'
import type { SiteBuild } from '#server/pages/site-build.ts'
import { presentPublicProject } from '#server/public/present.ts'
import { listWorldEntries, readWorldEntry, readWorldPage, requirePublic } from '#server/public/service.ts'
import { readWorldStory } from '#server/public/story.ts'
import { type Addresses, createAddresses } from './addresses.ts'
import { createMedia, type Media } from './media.ts'
import { finderOf, type Place, placesOf } from './places.ts'
import { type Resolve, rewritePage } from './rewrite.ts'
import { createIndexFiles, SEARCH_PAGE, withScripts } from './search/index-files.ts'
import { listSiteEntries, listSiteMilestones, listSiteTags } from './store.ts'

const FEEDS = ['atom', 'rss', 'json'] as const

/** A site that is made: the project, the server that it is taken from, and the address where it will be, if that is known. */
export type SiteOf = {
  projectId: string
  settings: PageSettings
  base: string | undefined
  /** Whether it has a page that searches it. */
  withSearch: boolean
}

/** A text file of the site, one a line. */
export type Line = { path: string; text: string }

/**
 * Writes the pages of a public project into a file, from one snapshot, as visitors see them. Returns the media that they show. Throws
 * `not_found` unless the project is public.
 */
export function collectSite(
  deps: AppDeps,
  build: SiteBuild,
  { projectId, settings, base, withSearch }: SiteOf,
  lines: TemporaryFile,
): Promise<Media> {
  return inSnapshot(deps.db, async (db) => {
    const within = { ...deps, db }
    const outline = { ...(await outlineOf(within, projectId)), hasSearch: withSearch }
    const places = placesOf(outline)
    const pathOf = finderOf(outline, places)
    const media = createMedia(db)
    const addresses = createAddresses({
      origin: settings.origin,
      base,
      build,
      pathOf,
      media,
      feeds: base === undefined ? undefined : `/world/${projectId}/feed.`,
    })
    const write = ({ path, text }: Line) => lines.write(`${JSON.stringify({ path, text })}\n`)
    async function writePage(path: string, page: Page, resolve: Resolve) {
      const { body } = await build.renderPage(page, settings)
      await media.look(body)
      await write({ path, text: await rewritePage(body, resolve, withSearch) })
    }
    const index = withSearch ? createIndexFiles(write) : undefined
    for (const place of places) {
      const page = await readPlace(within, projectId, place)
      await writePage(place.path, page, addresses.from(place.path))
      if (page.kind === 'entry') await index?.addEntry(page.found, place.path)
    }
    if (index) {
      for (const { id, title, description } of outline.milestones) {
        const path = pathOf(new URL(`/world/${projectId}?milestone=${id}`, settings.origin))
        if (path !== undefined) await index.addMilestone({ title, description, path })
      }
      const page = await searchPageOf(within, projectId)
      const { body } = await build.renderPage(page, settings)
      const text = await rewritePage(body, addresses.from(SEARCH_PAGE), true)
      await write({ path: SEARCH_PAGE, text: withScripts(text, await index.end()) })
    }
    await writePage('404.html', { kind: 'missing', what: 'page' }, addresses.fromAnywhere())
    if (base !== undefined) await writeFeeds(within, build, { projectId, settings, base }, addresses, write)
    return media
  })
}

async function outlineOf(deps: AppDeps, projectId: string) {
  // Refuses projects that are not public.
  await readWorldPage(deps, projectId, { milestone: undefined, tag: undefined, order: 'oldest', page: 1 })
  const milestones = await listSiteMilestones(deps.db, projectId)
  const entries = await listSiteEntries(deps.db, projectId)
  const tags = await listSiteTags(deps.db, projectId)
  const pages = (count: number) => Math.max(1, Math.ceil(count / WORLD_ENTRIES_PER_PAGE))
  return {
    projectId,
    milestones: milestones.map(({ entry_count: count, ...milestone }) => ({
      ...milestone,
      pages: pages(count),
    })),
    tags: tags.map(({ tag, entries: count }) => ({ tag, pages: pages(count) })),
    entries,
    storyPages: Math.ceil(entries.length / STORY_ENTRIES_PER_PAGE),
  }
}

async function readPlace(deps: AppDeps, projectId: string, place: Place): Promise<Page> {
  if (place.kind === 'entry')
    return { kind: 'entry', found: await readWorldEntry(deps, { projectId, entryId: place.entry }) }
  const { page } = place
  if (place.kind === 'story') {
    const query = { page, entry: undefined, limit: STORY_ENTRIES_PER_PAGE }
    return { kind: 'story', found: await readWorldStory(deps, projectId, query) }
  }
  const order = 'oldest'
  const { milestone, tag } = place
  return {
    kind: 'project',
    order,
    found: await readWorldPage(deps, projectId, { milestone, tag, order, page }),
  }
}

/** The page of a search that nobody has typed yet. */
async function searchPageOf({ db }: AppDeps, projectId: string): Promise<Page> {
  const project = presentPublicProject(await requirePublic(db, projectId))
  const result = { hits: [], page: 1, hasNext: false, unknown: [], isIndexing: false }
  return { kind: 'search', project, q: '', result }
}

/** Feeds name everything by whole addresses. */
async function writeFeeds(
  deps: AppDeps,
  build: SiteBuild,
  { projectId, settings }: Pick<SiteOf, 'projectId' | 'settings'> & { base: string },
  addresses: Addresses,
  write: (line: Line) => Promise<void>,
): Promise<void> {
  const found = await listWorldEntries(deps, projectId)
  for (const format of FEEDS) {
    const { body } = await build.renderPage({ kind: `feed.${format}`, found }, settings)
    await write({ path: `feed.${format}`, text: await addresses.inFeed(body) })
  }
}
