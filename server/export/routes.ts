import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { fileNameOf } from '#server/files/media.ts'
import { NOTHING_ALLOWED } from '#server/files/media-routes.ts'
import type { Serve } from '#server/platform/calls.ts'
import { notFound } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/network.ts'
import { createExports } from './service.ts'
import { prepareExport, ticket } from './ticket.ts'

/** The export itself is not in the contract, because it is not JSON and its link replaces the token. */
export function exportRoutes(
  api: FastifyInstance,
  serve: Serve,
  deps: AppDeps,
  own: { features: readonly Feature[]; publicUrl: string },
): void {
  const exports = createExports(deps, own)
  serve('prepareExport', ({ caller, body }) => prepareExport(deps, caller, body))

  api.get(
    '/api/exports/download',
    { schema: { hide: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const given = ticket.safeParse(request.query)
      if (!given.success) throw notFound('Download')
      const { name, type, bytes } = await exports.open(given.data, networkOf(request.ip))
      return reply
        .headers({
          'content-type': type,
          'content-disposition': `attachment; ${fileNameOf(name)}`,
          'cache-control': 'no-store',
          'content-security-policy': NOTHING_ALLOWED,
        })
        .send(bytes)
    },
  )
}
