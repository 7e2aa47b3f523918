import type { Page, PageSettings } from '#contract/rendering.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireExportable } from '#server/export/access.ts'
import type { Making } from '#server/export/making.ts'
import type { TemporaryFile } from '#server/export/temporary-file.ts'
import type { SiteBuild } from '#server/pages/site-build.ts'
import type { AllPages } from '#server/public/all-pages.ts'
import { listWorldEntries } from '#server/public/service.ts'
import { type Addresses, createAddresses } from './addresses.ts'
import { createMedia, type Media } from './media.ts'
import { type Outline, outlinesOf, type SiteScope } from './outline.ts'
import { finderOf, type Place, placesOf } from './places.ts'
import { type Resolve, rewritePage } from './rewrite.ts'
import { createIndexFiles, SEARCH_PAGE, withScript } from './search/index-files.ts'

const FEEDS = ['atom', 'rss', 'json'] as const

/** A site that is made: what it shows, the server that it is taken from, and the address where it will be, if that is known. */
export type SiteOf = {
  scope: SiteScope
  settings: PageSettings
  base: string | undefined
  /** Whether each project has a page that searches it. */
  withSearch: boolean
}

/** A text file of the site, one a line. */
export type Line = { path: string; text: string }

type Writing = {
  deps: AppDeps
  addresses: Addresses
  render: (page: Page) => Promise<string>
  write: (line: Line) => Promise<void>
  writePage: (path: string, page: Page, resolve: Resolve) => Promise<void>
}

/**
 * Writes the pages of a site into a file, from one snapshot: what is published, as readers see it. Returns the media that they show.
 * Throws `not_found` unless the caller may take it out.
 */
export function collectSite(
  { deps, caller }: Pick<Making, 'deps' | 'caller'>,
  build: SiteBuild,
  { scope, settings, base, withSearch }: SiteOf,
  lines: TemporaryFile,
): Promise<Media> {
  return inSnapshot(deps.db, async (db) => {
    const within = { ...deps, db }
    await requireExportable(within, caller, scope)
    const outlines = await outlinesOf(within, caller, { scope, hasSearch: withSearch })
    const placed = outlines.map((outline) => ({ outline, places: placesOf(outline) }))
    const media = createMedia(db)
    const addresses = createAddresses({
      origin: settings.origin,
      base,
      build,
      pathOf: finderOf(placed),
      media,
      feedOf: (id) => (base === undefined ? undefined : outlines.find(hasFeeds(id))?.folder),
    })
    const render = async (page: Page) => (await build.renderPage(page, settings)).body
    const write = ({ path, text }: Line) => lines.write(`${JSON.stringify({ path, text })}\n`)
    async function writePage(path: string, page: Page, resolve: Resolve) {
      const body = await render(page)
      await media.look(body)
      await write({ path, text: await rewritePage(body, resolve, withSearch) })
    }
    const writing = { deps: within, addresses, render, write, writePage }
    if (scope === 'account') {
      const page = { kind: 'projects' as const, projects: outlines.map(({ project }) => project) }
      await writePage('index.html', page, addresses.from('index.html'))
    }
    for (const { outline, places } of placed) {
      await writeProject(writing, outline, places)
      if (base !== undefined && hasFeeds(outline.project._id)(outline)) await writeFeeds(writing, outline)
    }
    await writePage('404.html', { kind: 'missing', what: 'page' }, addresses.fromAnywhere())
    return media
  })
}

/** Feeds announce what is public. */
const hasFeeds =
  (id: string) =>
  ({ project }: Outline) =>
    project._id === id && project.visibility !== 'private'

async function writeProject(
  { addresses, render, write, writePage }: Writing,
  outline: Outline,
  places: readonly Place[],
): Promise<void> {
  const { project, pages, folder, milestones, hasSearch } = outline
  const index = hasSearch ? createIndexFiles(folder, write) : undefined
  for (const place of places) {
    const page = await readPlace(pages, place)
    await writePage(place.path, page, addresses.from(place.path))
    if (page.kind === 'entry') await index?.addEntry(page.found, place.path)
    if (place.kind !== 'project' || place.page > 1 || place.tag !== undefined) continue
    const shown = milestones.find(({ id }, at) => (place.milestone ?? (at === 0 && id)) === id)
    if (shown) await index?.addMilestone(shown, place.path)
  }
  if (!index) return
  // The page of a search that nobody has typed yet.
  const result = { hits: [], page: 1, hasNext: false, unknown: [], isIndexing: false }
  const path = folder + SEARCH_PAGE
  const body = await render({ kind: 'search', project, q: '', result })
  const text = await rewritePage(body, addresses.from(path), true)
  await write({ path, text: withScript(text, await index.end(), folder) })
}

async function readPlace(pages: AllPages, place: Place): Promise<Page> {
  if (place.kind === 'entry') return { kind: 'entry', found: await pages.entry(place.entry) }
  if (place.kind === 'story') return { kind: 'story', found: await pages.story(place.page) }
  return { kind: 'project', order: 'oldest', found: await pages.page(place) }
}

/** Feeds name everything by whole addresses. */
async function writeFeeds({ deps, addresses, render, write }: Writing, { project, folder }: Outline) {
  const found = await listWorldEntries(deps, project._id)
  for (const format of FEEDS) {
    const body = await render({ kind: `feed.${format}`, found })
    await write({ path: `${folder}feed.${format}`, text: await addresses.inFeed(body) })
  }
}
