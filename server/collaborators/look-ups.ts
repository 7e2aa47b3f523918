import type { FastifyRequest } from 'fastify'
import type { Parts } from '#server/parts.ts'
import { demandUnderLimit } from '#server/platform/limits/limits.ts'

/** Far above a person with a handful of invitations, far below somebody who tries links. */
const LOOK_UPS = { name: 'invitation', calls: 60, seconds: 60 }

/** The page of an invitation, which is found in any case of its letters, and the calls that take its link. */
const WITH_LINK = /^\/(?:invite|api\/collaborators\/(?:accept|decline))\/[^/]/i

/** Bounds how often one network looks an invitation up, answers one or opens its page. Throws `too_many_requests`. */
export async function limitLookUps(
  parts: Pick<Parts, 'db' | 'clock'>,
  request: FastifyRequest,
): Promise<void> {
  if (WITH_LINK.test(request.url)) await demandUnderLimit(parts, LOOK_UPS, request.ip)
}
