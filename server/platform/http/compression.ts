import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'

/** Below this many bytes an answer fits into one packet anyway. */
const WORTHWHILE = 1_400

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** How a body travels. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** No browser sends a longer Accept-Encoding header; one that is longer is ignored, as if nothing had been sent. */
const HEADER_CHARACTERS_MAX = 200

/** Returns the encoding that makes a body smallest, of those that an Accept-Encoding header allows. */
export function encodingIn(accepted = ''): Encoding {
  if (accepted === '' || accepted.length > HEADER_CHARACTERS_MAX) return 'identity'
  const allowed = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['br', 'gzip'])
  if (allowed.includes('br')) return 'br'
  return allowed.includes('gzip') ? 'gzip' : 'identity'
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
