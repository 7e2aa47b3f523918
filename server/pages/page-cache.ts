import { LRUCache } from 'lru-cache'
import type { Encoding } from '#server/platform/api/request-headers.ts'
import { encodePage, type FinishedPage } from './render.ts'

/** The maximum memory of cached pages. */
const MAX_BYTES = 32 * 1024 * 1024
/** The maximum memory of cached 404 pages, of which there are only a few kinds. */
const MAX_MISSING_BYTES = 2 * 1024 * 1024
/** The maximum memory of the cached pages of one project, so that its pages, which may be thousands, do not evict all others. */
const MAX_PROJECT_BYTES = MAX_BYTES / 8
/** An estimate of the memory of a page's headers. */
const HEADERS_BYTES = 2_048

type CreatePage = () => Promise<FinishedPage>

/** The keys of a page in each encoding. They are made once, because looking one up that was just put together takes longer. */
export type PageKey = { [encoding in Encoding]: string }

/** Returns the keys of a page of a project, if it is one of any. `key` must change with anything that the page shows. */
export function pageKey(key: string, project = ''): PageKey {
  // The project is the first word.
  const identity = `${project} ${key}`
  return { identity, br: `${identity} br`, gzip: `${identity} gzip` }
}

/** Caches the rendered pages of one process in each requested encoding. */
export function createPageCache() {
  const projects = createProjectBudgets((key) => found.delete(key))
  const found = cacheOf(200, MAX_BYTES, projects)
  const missing = cacheOf(404, MAX_MISSING_BYTES)
  return {
    get: (page: PageKey, encoding: Encoding) => found.get(page[encoding]),
    /** Returns the page under the key. Concurrent requests share one rendering. Only pages with status 200 are cached. */
    obtain: (page: PageKey, encoding: Encoding, create: CreatePage) =>
      obtainIn(found, page, encoding, create),
    /** Like `obtain`, for 404 pages. Only pages with status 404 are cached. */
    obtainMissing: (page: PageKey, encoding: Encoding, create: CreatePage) =>
      obtainIn(missing, page, encoding, create),
  }
}

const projectOf = (key: string) => key.slice(0, key.indexOf(' '))

const sizeOf = (page: FinishedPage, key: string) => HEADERS_BYTES + key.length + page.body.length

type Budgets = ReturnType<typeof createProjectBudgets>

/** Keeps the cached pages of each project within a budget: `drop` is called for the oldest. */
function createProjectBudgets(drop: (key: string) => void) {
  const projects = new Map<string, { bytes: number; sizes: Map<string, number> }>()
  return {
    added(key: string, page: FinishedPage) {
      const project = projectOf(key)
      if (project === '') return
      const own = projects.get(project) ?? { bytes: 0, sizes: new Map() }
      projects.set(project, own)
      const size = sizeOf(page, key)
      own.bytes += size - (own.sizes.get(key) ?? 0)
      own.sizes.delete(key)
      own.sizes.set(key, size)
      for (const [oldest] of own.sizes) if (own.bytes > MAX_PROJECT_BYTES && oldest !== key) drop(oldest)
    },
    removed(key: string) {
      const project = projectOf(key)
      const own = projects.get(project)
      if (!own) return
      own.bytes -= own.sizes.get(key) ?? 0
      own.sizes.delete(key)
      if (own.sizes.size === 0) projects.delete(project)
    },
  }
}

/** A failure is not cached. */
const cacheOf = (status: number, maxSize: number, budgets?: Budgets) =>
  new LRUCache<string, FinishedPage, CreatePage>({
    maxSize,
    // A page that exceeds `maxSize` is not cached.
    sizeCalculation: (page, key) => (page.status === status ? sizeOf(page, key) : maxSize + 1),
    onInsert: (page, key) => budgets?.added(key, page),
    // Before an addition under the same key, which is therefore not undone.
    dispose: (_page, key) => budgets?.removed(key),
    fetchMethod: (_key, _stale, { context: create }) => create(),
    // A page whose place in the cache was taken while it was rendered is sent nevertheless.
    ignoreFetchAbort: true,
  })

async function obtainIn(
  cache: ReturnType<typeof cacheOf>,
  page: PageKey,
  encoding: Encoding,
  create: CreatePage,
): Promise<FinishedPage> {
  const plain = () => cache.forceFetch(page.identity, { context: create })
  if (encoding === 'identity') return plain()
  return cache.forceFetch(page[encoding], {
    context: async () => encodePage(await plain(), encoding),
  })
}
