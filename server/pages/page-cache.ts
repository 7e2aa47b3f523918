import { createByteCache } from '#server/platform/byte-cache.ts'
import type { Encoding } from '#server/platform/http/request-headers.ts'
import { encodePage, type FinishedPage } from './render.ts'

/** The memory of all cached pages. */
const MAX_BYTES = 32 * 1024 * 1024
/** The memory of cached 404 pages, of which there are only a few kinds. */
const MAX_MISSING_BYTES = 2 * 1024 * 1024
/** An estimate of the memory of a page's headers. */
const HEADERS_BYTES = 2_048

/** The rendered pages of one process, in each encoding that was asked for. A key changes with all that its page shows. */
export function createPageCache() {
  const found = cacheOf(200, MAX_BYTES)
  const missing = cacheOf(404, MAX_MISSING_BYTES)
  return {
    has: (key: string, encoding: Encoding) => found.get(keyIn(key, encoding)) !== undefined,
    /** Returns the page under the key, created once for all who ask at the same time. Only pages with status 200 are cached. */
    obtain: (key: string, encoding: Encoding, create: () => Promise<FinishedPage>) =>
      obtainIn(found, key, encoding, create),
    /** As `obtain`, for a 404 page. Only pages with status 404 are cached. */
    obtainMissing: (key: string, encoding: Encoding, create: () => Promise<FinishedPage>) =>
      obtainIn(missing, key, encoding, create),
  }
}

const cacheOf = (status: number, maxBytes: number) =>
  createByteCache<FinishedPage>({
    maxBytes,
    sizeOf: ({ body }) => HEADERS_BYTES + body.length,
    keeps: (page) => page.status === status,
  })

async function obtainIn(
  cache: ReturnType<typeof cacheOf>,
  key: string,
  encoding: Encoding,
  create: () => Promise<FinishedPage>,
): Promise<FinishedPage> {
  const plain = () => cache.obtain(key, create)
  if (encoding === 'identity') return plain()
  return cache.obtain(keyIn(key, encoding), async () => encodePage(await plain(), encoding))
}

const keyIn = (key: string, encoding: Encoding) => (encoding === 'identity' ? key : `${key} ${encoding}`)
