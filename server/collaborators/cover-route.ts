import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AppDeps } from '#server/deps.ts'
import { sendStored } from '#server/files/media-routes.ts'
import { cardVariant } from '#server/files/present.ts'
import { findInvitedCover } from './answer-invitation.ts'

const params = z.object({ inviteToken: z.string() })

/** Each request looks the invitation up, so that its cover disappears with it. */
const headers = { 'cache-control': 'private, no-cache', 'cross-origin-resource-policy': 'same-origin' }

/** Sends the cover of a project to whoever has the link of an open invitation. Not in the contract, because it sends no JSON. */
export function coverRoute(api: FastifyInstance, deps: AppDeps): void {
  api.get('/invite/:inviteToken/cover', { schema: { hide: true, params } }, async (request, reply) => {
    const file = await findInvitedCover(deps, params.parse(request.params).inviteToken)
    return sendStored(deps, { request, reply }, { file, variant: cardVariant(file.widths), headers })
  })
}
