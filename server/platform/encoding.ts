import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

/** Below this many bytes an answer fits into one packet anyway. */
const WORTHWHILE = 1_400

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** How a body travels. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** What some Accept-Encoding headers came to; browsers send but a few different ones. */
const known = new LRUCache<string, Encoding>({ max: 100 })
const MAX_CHARACTERS = 200

/** The best encoding that an Accept-Encoding header allows. */
export function encodingIn(accepted = ''): Encoding {
  const before = known.get(accepted)
  if (before) return before
  const encoding = bestOf(accepted)
  if (accepted.length <= MAX_CHARACTERS) known.set(accepted, encoding)
  return encoding
}

function bestOf(accepted: string): Encoding {
  const encodings = accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
    .filter(([, weight = '1']) => Number(weight) > 0)
    .map(([name]) => name)
  if (encodings.includes('br')) return 'br'
  return encodings.includes('gzip') ? 'gzip' : 'identity'
}

/** A body as it travels, and the encoding that was worth it. */
export async function encode(
  body: Buffer,
  encoding: Encoding,
): Promise<{ body: Buffer; encoding: Encoding }> {
  if (encoding === 'identity' || body.length < WORTHWHILE) return { body, encoding: 'identity' }
  if (encoding === 'gzip') return { body: await deflate(body), encoding }
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  return { body: await brotli(body, { params }), encoding }
}
