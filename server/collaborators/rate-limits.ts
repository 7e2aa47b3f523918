import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { demandUnderLimit } from '#server/platform/limits/limits.ts'
import { countInvitation, listExpiries, listMadeSince } from './invitation-store.ts'

/** How many invitations of one project may wait for an answer at a time. */
export const OPEN_PER_PROJECT = 50
/** How many invitations one person may send within an hour, to any projects. */
export const INVITATIONS_PER_HOUR = 60

const HOUR_MS = 60 * 60_000

/** Keeps a project, which is locked, from asking ever more people. Throws `too_many_requests`. */
export async function refuseCrowd(trx: Transaction<Schema>, projectId: string, now: Date): Promise<void> {
  const expiries = await listExpiries(trx, projectId, now)
  const [next] = expiries
  if (!next || expiries.length < OPEN_PER_PROJECT) return
  throw new AppError(
    'too_many_requests',
    `${OPEN_PER_PROJECT} invitations to this project are waiting for an answer. Withdraw some, or wait for answers, before you invite more people.`,
    { retryAfter: (next.getTime() - now.getTime()) / 1000 },
  )
}

/**
 * Counts an invitation of a person, who is locked, so that inviting is no way of sending emails to the world: what is
 * withdrawn counts too. Throws `too_many_requests`.
 */
export async function refuseHaste(trx: Transaction<Schema>, inviterId: string, now: Date): Promise<void> {
  const made = await listMadeSince(trx, inviterId, new Date(now.getTime() - HOUR_MS))
  const [first] = made
  if (first && made.length >= INVITATIONS_PER_HOUR)
    throw new AppError(
      'too_many_requests',
      'You have sent many invitations within the last hour. Please wait a while before you send more.',
      { retryAfter: (first.getTime() + HOUR_MS - now.getTime()) / 1000 },
    )
  await countInvitation(trx, { id: uuidv7(), inviterId, now })
}

/** Far above a person with a handful of invitations, far below somebody who tries links. */
const LOOK_UPS = { name: 'invitation', calls: 60, seconds: 60 }

/** The page of an invitation, which is found in upper and lower case, and the calls that take its link. */
const WITH_LINK = /^\/(?:invite|api\/collaborators\/(?:accept|decline))\/[^/]/i

/** Bounds how often one network looks an invitation up, answers one or opens its page. Throws `too_many_requests`. */
export async function limitLookUps(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  request: FastifyRequest,
): Promise<void> {
  if (WITH_LINK.test(request.url)) await demandUnderLimit(deps, LOOK_UPS, request.ip)
}
