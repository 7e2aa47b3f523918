import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { HOUR_MS } from '#contract/parts/durations.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { enforceLimit } from '#server/platform/limits/limits.ts'
import { countInvitation, listExpiries, listMadeSince } from './invitation-store.ts'

/** The maximum number of pending invitations of one project. */
export const OPEN_PER_PROJECT = 50
/** The maximum number of invitations that one person may send within an hour, to all projects together. */
export const INVITATIONS_PER_HOUR = 60

/** Limits the pending invitations of a project, which is locked. Throws `too_many_requests`. */
export async function limitOpenInvitations(
  trx: Transaction<Schema>,
  projectId: string,
  now: Date,
): Promise<void> {
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
 * Counts an invitation of a person, who is locked, and limits how many they send within an hour. Withdrawn invitations
 * count too, so that inviting cannot be used to send emails to strangers. Throws `too_many_requests`.
 */
export async function limitInviting(trx: Transaction<Schema>, inviterId: string, now: Date): Promise<void> {
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

/** Far more than a person with a few invitations needs, and far too few to guess links. */
const REQUESTS = { name: 'invitation', calls: 60, seconds: 60 }

/** A list of invitations shows the cover of each, which must not use up the calls that answer them. */
const COVERS = { name: 'invitation cover', calls: 600, seconds: 60 }
const OF_COVER = /^\/invite\/[^/?]+\/cover(?:\?|$)/i

/** The page of an invitation, in upper and lower case, and the calls with its token. */
const WITH_LINK = /^\/(?:invite|api\/collaborators\/(?:accept|decline))\/[^/]/i

/** Whether a request names the token of an invitation. */
export const carriesInvitation = ({ url }: FastifyRequest) => WITH_LINK.test(url)

/** Limits how often one network reads, accepts or declines invitations, opens their pages or sees their covers. Throws `too_many_requests`. */
export const limitInvitationRequests = (deps: Pick<AppDeps, 'db' | 'clock'>, { ip, url }: FastifyRequest) =>
  enforceLimit(deps, OF_COVER.test(url) ? COVERS : REQUESTS, ip)
