import { LRUCache } from 'lru-cache'
import type { Encoding } from '#server/platform/http/request-headers.ts'
import { encodePage, type FinishedPage } from './render.ts'

/** The maximum memory of cached pages. */
const MAX_BYTES = 32 * 1024 * 1024
/** The maximum memory of cached 404 pages, of which there are only a few kinds. */
const MAX_MISSING_BYTES = 2 * 1024 * 1024
/** An estimate of the memory of a page's headers. */
const HEADERS_BYTES = 2_048

type CreatePage = () => Promise<FinishedPage>

/** Caches the rendered pages of one process in each requested encoding. A key must change with anything that its page shows. */
export function createPageCache() {
  const found = cacheOf(200, MAX_BYTES)
  const missing = cacheOf(404, MAX_MISSING_BYTES)
  return {
    get: (key: string, encoding: Encoding) => found.get(keyIn(key, encoding)),
    /** Returns the page under the key. Concurrent requests share one rendering. Only pages with status 200 are cached. */
    obtain: (key: string, encoding: Encoding, create: CreatePage) => obtainIn(found, key, encoding, create),
    /** Like `obtain`, for 404 pages. Only pages with status 404 are cached. */
    obtainMissing: (key: string, encoding: Encoding, create: CreatePage) =>
      obtainIn(missing, key, encoding, create),
  }
}

/** A failure is not cached. */
const cacheOf = (status: number, maxSize: number) =>
  new LRUCache<string, FinishedPage, CreatePage>({
    maxSize,
    // A page that exceeds `maxSize` is not cached.
    sizeCalculation: (page, key) =>
      page.status === status ? HEADERS_BYTES + key.length + page.body.length : maxSize + 1,
    fetchMethod: (_key, _stale, { context: create }) => create(),
    // A page whose place in the cache was taken while it was rendered is sent nevertheless.
    ignoreFetchAbort: true,
  })

async function obtainIn(
  cache: ReturnType<typeof cacheOf>,
  key: string,
  encoding: Encoding,
  create: CreatePage,
): Promise<FinishedPage> {
  const plain = () => cache.forceFetch(key, { context: create })
  if (encoding === 'identity') return plain()
  return cache.forceFetch(keyIn(key, encoding), {
    context: async () => encodePage(await plain(), encoding),
  })
}

const keyIn = (key: string, encoding: Encoding) => (encoding === 'identity' ? key : `${key} ${encoding}`)
