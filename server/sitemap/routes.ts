import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppDeps } from '#server/deps.ts'
import { encode, encodingIn } from '#server/platform/api/request-headers.ts'
import { clientNamed, FairQueue } from '#server/platform/limits/fair-queue.ts'
import { networkOf } from '#server/platform/network.ts'
import { robots, sitemapIndex, sitemapOfPages, sitemapPart } from './service.ts'

const ONE_HOUR_S = 3_600
const part = z.object({
  kind: z.enum(['projects', 'entries', 'people']),
  number: z.coerce.number().int().min(1),
})

/** Serves robots.txt and the sitemap. */
export function sitemapRoutes(
  api: FastifyInstance,
  deps: AppDeps,
  { publicUrl }: { publicUrl: string },
): void {
  // One at a time, and clients take turns, because a part costs the database more than a page.
  const queue = new FairQueue({ atOnce: 1, waiting: 16, each: 4, waitMs: 30_000 })
  const schema = { hide: true }

  async function send(request: FastifyRequest, reply: FastifyReply, write: () => string | Promise<string>) {
    const asked = encodingIn(request.headers['accept-encoding'])
    const { body, encoding } = await queue.run(clientNamed(networkOf(request.ip)), async () =>
      encode(Buffer.from(await write()), asked),
    )
    return reply
      .headers({ 'content-type': 'application/xml; charset=utf-8', vary: 'accept-encoding' })
      .headers(encoding === 'identity' ? {} : { 'content-encoding': encoding })
      .send(body)
  }

  api.get('/robots.txt', { schema }, (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': `max-age=${ONE_HOUR_S}` })
      .send(robots(publicUrl)),
  )
  api.get('/sitemap.xml', { schema }, (request, reply) =>
    send(request, reply, () => sitemapIndex(deps, publicUrl)),
  )
  api.get('/sitemap-pages.xml', { schema }, (request, reply) =>
    send(request, reply, () => sitemapOfPages(publicUrl)),
  )
  api.get(
    '/sitemap-:kind(^projects|entries|people$)-:number(^[1-9]\\d{0,5}$).xml',
    { schema: { ...schema, params: part } },
    (request, reply) => {
      const { kind, number } = part.parse(request.params)
      return send(request, reply, () => sitemapPart(deps, publicUrl, kind, number))
    },
  )
}
