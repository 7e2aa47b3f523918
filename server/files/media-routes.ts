import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { id, ids } from '#contract/parts/wire.ts'
import type { AppDeps } from '#server/deps.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { isKnown } from '#server/platform/api/request-headers.ts'
import type { ByteRange } from '#server/platform/storage/files.ts'
import { findPublicURL, openFile, requireReadable, variantHeaders } from './media.ts'
import { FILE_VARIANTS, type FileVariant, widthVariants } from './storage-keys.ts'
import type { FileRecord } from './store.ts'

export const mediaVariant = z.enum([...FILE_VARIANTS, 'full'])
const params = z.object({ fileId: id, variant: mediaVariant })
const query = z
  .object({ reader: z.string(), until: z.coerce.number().int(), proof: z.string() })
  .nullable()
  .catch(null)
const ofFile = ids('fileId')

/** The content security policy of a response that is opened in its own window. It allows nothing. */
export const NOTHING_ALLOWED = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Sends the bytes of files. These routes are not in the contract, because they send no JSON and read no token. */
export function mediaRoutes(api: FastifyInstance, deps: AppDeps): void {
  const schema = { hide: true, params }
  api.get('/api/media/:fileId/:variant', { schema }, async (request, reply) => {
    const { fileId, variant } = params.parse(request.params)
    return sendFile(deps, { request, reply }, fileId, variant, query.parse(request.query))
  })

  api.get('/files/:fileId', { schema: { hide: true, params: ofFile } }, async (request, reply) => {
    const url = await findPublicURL(deps, ofFile.parse(request.params).fileId)
    return reply.header('cache-control', 'no-cache').redirect(url, 302)
  })
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type LinkQuery = z.output<typeof query>
type VariantName = z.output<typeof mediaVariant>

async function sendFile(
  deps: AppDeps,
  exchange: Exchange,
  fileId: string,
  variant: VariantName,
  signed: LinkQuery,
) {
  const { file, secondsLeft } = await requireReadable(deps, fileId, signed)
  return sendStored(deps, exchange, { file, variant, headers: cachingOf(secondsLeft) })
}

type Sent = { file: FileRecord; variant: VariantName; headers: Record<string, string> }

/** Sends a variant of a file, or a range of it, with the caller's headers. The reader's right was checked for this request. */
export async function sendStored(
  deps: AppDeps,
  { request, reply }: Exchange,
  { file, variant: named, headers }: Sent,
) {
  const variant = variantNamed(named, file)
  const { type, disposition, size } = variantHeaders(file, variant)
  const etag = `"${file.id}-${variant}"`
  const caching = { ...headers, etag }
  if (isKnown(etag, request.headers['if-none-match'])) return reply.code(304).headers(caching).send()
  const part = size === null ? undefined : rangeOf(request.headers, { size, etag })
  if (part === null)
    return reply
      .code(416)
      .headers({ ...caching, 'content-range': `bytes */${size}` })
      .send()
  const stored = await openFile(deps, file, variant, part)
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`)
  return reply
    .headers({
      ...caching,
      ...(size !== null && { 'accept-ranges': 'bytes' }),
      'content-type': type,
      'content-length': stored.size,
      'content-disposition': disposition,
      'content-security-policy': NOTHING_ALLOWED,
    })
    .send(bodyFor(request, stored.bytes))
}

/** A picture from before migration 0060 keeps the addresses that it had as the image of an entry, `full` and `small`. */
function variantNamed(name: VariantName, { attempt, widths }: FileRecord): FileVariant {
  if (attempt === 0 && name === 'small') return widthVariants(widths)[0]?.variant ?? name
  if (name !== 'full') return name
  if (attempt > 0) throw notFound('File')
  return 'widest'
}

/** Does not read the body for HEAD. The framework would read all of it. */
function bodyFor({ method }: FastifyRequest, bytes: Readable): Readable {
  if (method !== 'HEAD') return bytes
  bytes.destroy()
  return Readable.from([])
}

const cachingOf = (secondsLeft: number) => ({
  // Public files are revalidated each time, so that they disappear when their project becomes private.
  'cache-control': secondsLeft > 0 ? `private, max-age=${secondsLeft}, immutable` : 'no-cache',
  // Feed readers show public images on other sites.
  'cross-origin-resource-policy': secondsLeft > 0 ? 'same-origin' : 'cross-origin',
})

type Headers = { range?: string | undefined; 'if-range'?: string | string[] | undefined }

/** Players ask up to ends far beyond a file, with any number of digits. */
const single = /^bytes=(\d*)-(\d*)$/

/**
 * Returns the byte range that a request asks for: undefined for the whole file, null if it is not satisfiable. Requests for
 * several ranges, or for a range of another version (`If-Range`), get the whole file.
 */
function rangeOf(
  headers: Headers,
  { size, etag }: { size: number; etag: string },
): ByteRange | null | undefined {
  const [, first, last] = single.exec(headers.range?.replaceAll(' ', '') ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start >= size || (first === '' && Number(last) === 0) ? null : { start, end }
}
