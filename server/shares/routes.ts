import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '#contract/parts/wire.ts'
import type { AppDeps } from '#server/deps.ts'
import { mediaVariant, sendStored } from '#server/files/media-routes.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import {
  createShareLink,
  listShareLinks,
  renewShareLink,
  revokeShareLink,
  updateShareLink,
} from './service.ts'
import { readFileOfLink } from './visits.ts'

type Options = { publicUrl: string }

export function shareRoutes(serve: Serve, deps: AppDeps, { publicUrl }: Options): void {
  const within = { ...deps, publicUrl }
  serve('listShareLinks', ({ caller, params }) => listShareLinks(deps, caller, params.projectId))
  serve('createShareLink', ({ caller, params, body, change }) =>
    createShareLink(within, caller, params.projectId, body, change),
  )
  serve('updateShareLink', ({ caller, params, body, change }) =>
    updateShareLink(deps, caller, params, body, change),
  )
  serve('renewShareLink', ({ caller, params }) => renewShareLink(within, caller, params))
  serve('revokeShareLink', ({ caller, params }) => revokeShareLink(deps, caller, params))
}

const params = z.object({ linkId: id, fileId: id, variant: mediaVariant })

/**
 * Sends the files that a share link shows, to browsers that have opened it. Each request asks for the link, so a file is gone with
 * it at once; the URL alone shows nothing.
 */
export function sharedFileRoutes(api: FastifyInstance, deps: AppDeps): void {
  const schema = { hide: true, params }
  api.get('/world/:linkId/media/:fileId/:variant', { schema }, async (request, reply) => {
    const { linkId, fileId, variant } = params.parse(request.params)
    const file = await readFileOfLink(deps, { linkId, fileId }, request.headers.cookie)
    const headers = {
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    }
    return sendStored(deps, { request, reply }, { file, variant, headers })
  })
}
