import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '#contract/wire.ts'
import type { AppDeps } from '#server/deps.ts'
import { isKnown } from '#server/platform/http/request-headers.ts'
import { VARIANTS } from './links.ts'
import { openImage, PICTURE_TYPE, requireImageAccess } from './service.ts'

const params = z.object({ imageId: id, variant: z.enum(VARIANTS) })
const query = z
  .object({ reader: z.string(), until: z.coerce.number().int(), proof: z.string() })
  .nullable()
  .catch(null)

/** The bytes of images. The route is not in the contract, because it sends no JSON and reads no token. */
export function mediaRoutes(api: FastifyInstance, deps: AppDeps): void {
  api.get('/api/media/:imageId/:variant', { schema: { hide: true, params } }, async (request, reply) => {
    const { imageId, variant } = params.parse(request.params)
    const secondsLeft = await requireImageAccess(deps, imageId, query.parse(request.query))
    const etag = `"${imageId}-${variant}"`
    const caching = {
      etag,
      // A public image is revalidated each time, so that it disappears when its project is made private.
      'cache-control': secondsLeft > 0 ? `private, max-age=${secondsLeft}, immutable` : 'no-cache',
      // Feed readers show public images on other sites.
      'cross-origin-resource-policy': secondsLeft > 0 ? 'same-origin' : 'cross-origin',
    }
    if (isKnown(etag, request.headers['if-none-match'])) return reply.code(304).headers(caching).send()
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
