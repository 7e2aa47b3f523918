import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

/** A smaller response fits into one packet without compression. */
const WORTHWHILE = 1_400

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** The content encoding of a response. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** No browser sends a longer Accept-Encoding header; a longer one is ignored. */
const ACCEPT_ENCODING_MAX = 200

/** The results for recent headers. Browsers send only a few different ones. */
const encodings = new LRUCache<string, Encoding>({
  max: 100,
  memoMethod(accepted) {
    const allowed = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['br', 'gzip'])
    if (allowed.includes('br')) return 'br'
    return allowed.includes('gzip') ? 'gzip' : 'identity'
  },
})

/** Returns the encoding with the best compression among those that an Accept-Encoding header allows. */
export function encodingIn(accepted = ''): Encoding {
  if (accepted === '' || accepted.length > ACCEPT_ENCODING_MAX) return 'identity'
  return encodings.memo(accepted)
}

/** Returns the body, encoded if that pays, and the encoding. */
export async function encode(
  body: Buffer,
  encoding: Encoding,
): Promise<{ body: Buffer; encoding: Encoding }> {
  if (encoding === 'identity' || body.length < WORTHWHILE) return { body, encoding: 'identity' }
  if (encoding === 'gzip') return { body: await deflate(body), encoding }
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  return { body: await brotli(body, { params }), encoding }
}

/** A client sends the few ETags that it has of one URL; a longer If-None-Match header is ignored. */
const IF_NONE_MATCH_MAX = 1_000

/** Returns whether an If-None-Match header names the ETag. */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch.length > IF_NONE_MATCH_MAX) return false
  if (ifNoneMatch === etag) return true
  // Some servers in front of this one add the encoding to a tag.
  const opaque = (tag: string) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/[-;](?:gzip|br|deflate|zstd)"$/, '"')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').map(opaque).includes(opaque(etag))
}
