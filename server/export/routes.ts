import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { id } from '#contract/parts/wire.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { fileNameOf } from '#server/files/media.ts'
import { NOTHING_ALLOWED } from '#server/files/media-routes.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { networkOf } from '#server/platform/network.ts'
import { READER_FORMATS } from './access.ts'
import { createExports, type Sent } from './service.ts'
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
      return send(reply, await exports.open(given.data, networkOf(request.ip)))
    },
  )

  api.get(
    '/api/world/:projectId/downloads/:format',
    { schema: { hide: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const given = reading.safeParse(request.params)
      if (!given.success) throw notFound('Project')
      const { projectId, format } = given.data
      return send(reply, await exports.openForReader(projectId, format, networkOf(request.ip)))
    },
  )
}

const reading = z.object({ projectId: id, format: z.enum(READER_FORMATS) })

const send = (reply: FastifyReply, { name, type, bytes }: Sent) =>
  reply
    .headers({
      'content-type': type,
      'content-disposition': `attachment; ${fileNameOf(name)}`,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'content-security-policy': NOTHING_ALLOWED,
    })
    .send(bytes)
