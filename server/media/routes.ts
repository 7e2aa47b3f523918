import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '#contract/wire.ts'
import type { AppDeps } from '#server/deps.ts'
import { isKnown } from '#server/platform/http/etag.ts'
import { demandImage, openImage } from './service.ts'
import { PICTURE_TYPE, VARIANTS } from './variants.ts'

const params = z.object({ imageId: id, variant: z.enum(VARIANTS) })
const query = z
  .object({ reader: z.string(), until: z.coerce.number().int(), proof: z.string() })
  .nullable()
  .catch(null)

/** The bytes of images. It is no call of the contract, because it answers no JSON and reads no token. */
export function mediaRoutes(api: FastifyInstance, deps: AppDeps): void {
  api.get('/api/media/:imageId/:variant', { schema: { hide: true, params } }, async (request, reply) => {
    const { imageId, variant } = params.parse(request.params)
    const secondsLeft = await demandImage(deps, imageId, query.parse(request.query))
    const validator = `"${imageId}-${variant}"`
    const caching = {
      etag: validator,
      // What is public is asked about each time, so that it ends with the publicity.
      'cache-control': secondsLeft > 0 ? `private, max-age=${secondsLeft}, immutable` : 'no-cache',
      // A feed reader shows what everybody may see on another site.
      'cross-origin-resource-policy': secondsLeft > 0 ? 'same-origin' : 'cross-origin',
    }
    if (isKnown(validator, request.headers['if-none-match'])) return reply.code(304).headers(caching).send()
    const { bytes, size } = await openImage(deps, imageId, variant)
    return reply
      .headers({
        ...caching,
        'content-type': PICTURE_TYPE,
        'content-length': size,
        'content-disposition': `inline; filename="image-${imageId.slice(0, 8)}.webp"`,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      })
      .send(bytes)
  })
}
