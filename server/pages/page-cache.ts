import { createByteCache } from '#server/platform/byte-cache.ts'
import type { Encoding } from '#server/platform/http/compression.ts'
import { encodePage, type FinishedPage } from './finished.ts'

/** How much the finished pages of one process may take. */
const MAX_BYTES = 32 * 1024 * 1024
/** The same of those that say that something is missing; there are but a few kinds of them. */
const MAX_MISSING_BYTES = 2 * 1024 * 1024
/** What a page keeps beside its body: its headers, about. */
const HEADERS_BYTES = 2_048

/** The finished pages of one process, in each encoding that was asked for. A key changes with all that its page shows. */
export function createPageCache() {
  const found = cacheOf(200, MAX_BYTES)
  const missing = cacheOf(404, MAX_MISSING_BYTES)
  return {
    has: (key: string, encoding: Encoding) => found.get(keyIn(key, encoding)) !== undefined,
    /** The page under the key, made once for all who ask at the same time. Only pages with status 200 are kept. */
    obtain: (key: string, encoding: Encoding, make: () => Promise<FinishedPage>) =>
      obtainIn(found, key, encoding, make),
    /** As `obtain`, of a page that says that something is missing. Only pages with status 404 are kept. */
    obtainMissing: (key: string, encoding: Encoding, make: () => Promise<FinishedPage>) =>
      obtainIn(missing, key, encoding, make),
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
  make: () => Promise<FinishedPage>,
): Promise<FinishedPage> {
  const plain = () => cache.obtain(key, make)
  if (encoding === 'identity') return plain()
  return cache.obtain(keyIn(key, encoding), async () => encodePage(await plain(), encoding))
}

const keyIn = (key: string, encoding: Encoding) => (encoding === 'identity' ? key : `${key} ${encoding}`)
