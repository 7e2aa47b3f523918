import { archiveName, type Exported, type Making, ZIP } from '#server/export/making.ts'
import type { ZipEntry } from '#server/export/zip.ts'
import { bytesEntry, fileEntry, textEntry } from '#server/export/zip-entries.ts'
import { slugOf } from '#server/files/archive/names.ts'
import { loadSearchScript, loadSiteBuild } from '#server/pages/site-build.ts'
import { requireShown } from '#server/public/service.ts'
import { collectSite, type Line } from './collect.ts'
import type { Media } from './media.ts'
import type { SiteScope } from './outline.ts'
import { SEARCH_SCRIPT } from './search/index-files.ts'
import { findPersonPicture } from './store.ts'

const withScript = (assets: ReadonlyMap<string, Buffer>, script: Buffer | undefined) =>
  script ? new Map([...assets, [SEARCH_SCRIPT, script]]) : assets

/**
 * Makes a folder of the pages of a project, or of all projects of the caller, with relative links: it opens without a server and needs
 * no script. With `base`, the address where it will be, it also has feeds; with `withSearch`, a page for each project that searches it
 * by a script. A reader without an account gets it of a public project alone. Throws `not_found`.
 */
export async function makeSite(
  making: Making,
  {
    scope,
    base,
    withSearch,
    origin,
  }: { scope: SiteScope; base: string | undefined; withSearch: boolean; origin: string },
): Promise<Exported> {
  const build = await loadSiteBuild()
  const stem = await stemOf(making, scope)
  const lines = await making.openFile()
  const { fileLimits: files } = making.deps.fileSettings
  // Only the scripts of pages read the settings, and a site has none.
  const identity = { ...making.deps.identity.options, registration: 'closed' as const, emailDomains: [] }
  const settings = { origin, identity, entries: { images: false, files }, sendsMail: false, isSite: true }
  const collected = collectSite(making, build, { scope, settings, base, withSearch }, lines)
  // A large site takes minutes, in which proxies would give up: its pages are sent as they are made.
  const pages = lines.follow(collected)[Symbol.asyncIterator]()
  const first = await pages.next()
  const script = withSearch ? await loadSearchScript() : undefined
  return {
    name: archiveName(stem, making.madeAt),
    type: ZIP,
    collected,
    entries: filesOf(making, { first, pages, collected, assets: withScript(build.assets, script) }),
  }
}

async function stemOf({ deps, caller }: Making, scope: SiteScope): Promise<string> {
  if (scope === 'account') return 'milepost-site'
  const shown = { projectId: scope.project, forMembers: caller !== null }
  return slugOf((await requireShown(deps.db, shown)).title)
}

type Collecting = {
  first: IteratorResult<string>
  /** The pages after the first one. */
  pages: AsyncIterator<string>
  collected: Promise<Media>
  assets: ReadonlyMap<string, Buffer>
}

async function* filesOf(
  { deps, madeAt }: Making,
  { first, pages, collected, assets }: Collecting,
): AsyncGenerator<ZipEntry> {
  for (let page = first; !page.done; page = await pages.next()) {
    const { path, text } = JSON.parse(page.value) as Line
    yield textEntry(path, text, madeAt)
  }
  const media = await collected
  for (const [path, bytes] of assets) yield bytesEntry(path, bytes, madeAt)
  const missing: string[] = []
  for (const [path, key] of media.shown) {
    const entry = await fileEntry(deps, { path, key, mtime: madeAt })
    if (entry) yield entry
    else missing.push(path)
  }
  for (const [path, id] of media.people) {
    const bytes = await findPersonPicture(deps.db, id)
    if (bytes) yield bytesEntry(path, bytes, madeAt)
    else missing.push(path)
  }
  if (missing.length > 0) yield textEntry('missing-files.txt', `${missing.join('\n')}\n`, madeAt)
}
