import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { id, ids } from '#contract/wire.ts'
import type { AppDeps } from '#server/deps.ts'
import type { ByteRange } from '#server/platform/files/files.ts'
import { isKnown } from '#server/platform/http/request-headers.ts'
import { openImage, PICTURE_TYPE, requireImageAccess } from './entry-image/service.ts'
import { VARIANTS, type Variant } from './links.ts'
import { findPublicURL, openFile, requireReadable, variantHeaders } from './media.ts'
import { FILE_VARIANTS, type FileVariant } from './storage-keys.ts'

const params = z.object({ imageId: id, variant: z.enum([...VARIANTS, ...FILE_VARIANTS]) })
const query = z
  .object({ reader: z.string(), until: z.coerce.number().int(), proof: z.string() })
  .nullable()
  .catch(null)
const ofFile = ids('fileId')

const isFileVariant = z.enum(FILE_VARIANTS).safeParse.bind(z.enum(FILE_VARIANTS))

/** The content security policy of a response that is opened in its own window. It allows nothing. */
export const NOTHING_ALLOWED = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Sends the bytes of images and files. These routes are not in the contract, because they send no JSON and read no token. */
export function mediaRoutes(api: FastifyInstance, deps: AppDeps): void {
  const schema = { hide: true, params }
  api.get('/api/media/:imageId/:variant', { schema }, async (request, reply) => {
    const { imageId, variant } = params.parse(request.params)
    const signed = query.parse(request.query)
    const ofFile = isFileVariant(variant)
    if (ofFile.success) return sendFile(deps, { request, reply }, imageId, ofFile.data, signed)
    return sendEntryImage(deps, { request, reply }, imageId, variant === 'small' ? 'small' : 'full', signed)
  })

  api.get('/files/:fileId', { schema: { hide: true, params: ofFile } }, async (request, reply) => {
    const url = await findPublicURL(deps, ofFile.parse(request.params).fileId)
    return reply.header('cache-control', 'no-cache').redirect(url, 302)
  })
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type LinkQuery = z.output<typeof query>

/** Sends a variant of a file, or a range of it. */
async function sendFile(
  deps: AppDeps,
  { request, reply }: Exchange,
  fileId: string,
  variant: FileVariant,
  signed: LinkQuery,
) {
  const { file, secondsLeft } = await requireReadable(deps, fileId, signed)
  const { type, disposition, size } = variantHeaders(file, variant)
  const etag = `"${fileId}-${variant}"`
  const caching = cachingOf(etag, secondsLeft)
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

/** Sends the image of an entry. */
async function sendEntryImage(
  deps: AppDeps,
  { request, reply }: Exchange,
  imageId: string,
  variant: Variant,
  signed: LinkQuery,
) {
  const etag = `"${imageId}-${variant}"`
  const caching = cachingOf(etag, await requireImageAccess(deps, imageId, signed))
  if (isKnown(etag, request.headers['if-none-match'])) return reply.code(304).headers(caching).send()
  const { bytes, size } = await openImage(deps, imageId, variant)
  return reply
    .headers({
      ...caching,
      'content-type': PICTURE_TYPE,
      'content-length': size,
      'content-disposition': `inline; filename="image-${imageId.slice(0, 8)}.webp"`,
      'content-security-policy': NOTHING_ALLOWED,
    })
    .send(bodyFor(request, bytes))
}

/** Does not read the body for HEAD. The framework would read all of it. */
function bodyFor({ method }: FastifyRequest, bytes: Readable): Readable {
  if (method !== 'HEAD') return bytes
  bytes.destroy()
  return Readable.from([])
}

const cachingOf = (etag: string, secondsLeft: number) => ({
  etag,
  // Public files are revalidated each time, so that they disappear when their project becomes private.
  'cache-control': secondsLeft > 0 ? `private, max-age=${secondsLeft}, immutable` : 'no-cache',
  // Feed readers show public images on other sites.
  'cross-origin-resource-policy': secondsLeft > 0 ? 'same-origin' : 'cross-origin',
})

type Headers = { range?: string | undefined; 'if-range'?: string | string[] | undefined }

const single = /^bytes=(\d{0,15})-(\d{0,15})$/

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
