import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { NOTHING_ALLOWED } from '#server/files/media-routes.ts'
import type { Serve } from '#server/platform/calls.ts'
import { notFound } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/network.ts'
import { createExports, prepareExport, ticket } from './service.ts'

/** The archive itself is not in the contract, because it is not JSON and its link replaces the token. */
export function exportRoutes(
  api: FastifyInstance,
  serve: Serve,
  deps: AppDeps,
  features: readonly Feature[],
): void {
  const exports = createExports(deps, features)
  serve('prepareExport', ({ caller }) => prepareExport(deps, caller))

  api.get(
    '/api/account/export',
    { schema: { hide: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const given = ticket.safeParse(request.query)
      if (!given.success) throw notFound('Download')
      const archive = await exports.open(given.data, networkOf(request.ip))
      const day = deps.clock().toISOString().slice(0, 10)
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="milepost-${day}.zip"`,
          'cache-control': 'no-store',
          'content-security-policy': NOTHING_ALLOWED,
        })
        .send(archive)
    },
  )
}
