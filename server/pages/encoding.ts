import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Below this many bytes an answer fits into one packet anyway. */
const WORTHWHILE = 1_400

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** A body as it travels, in the best encoding that `accepted`, the Accept-Encoding header, allows. */
export async function encode(
  text: string,
  accepted: string | undefined,
): Promise<{ body: Buffer; encoding?: 'br' | 'gzip' }> {
  const body = Buffer.from(text)
  const encodings = body.length < WORTHWHILE ? [] : encodingsIn(accepted)
  if (encodings.includes('br')) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
    return { body: await brotli(body, { params }), encoding: 'br' }
  }
  if (encodings.includes('gzip')) return { body: await deflate(body), encoding: 'gzip' }
  return { body }
}

function encodingsIn(accepted = ''): string[] {
  return accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
    .filter(([, weight = '1']) => Number(weight) > 0)
    .map(([name = '']) => name)
}
