import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { email as emailSchema } from '#contract/email.ts'
import { id as idSchema } from '#contract/parts/wire.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { isUnderLimit, isUnderLimitOfNetwork, type Limit } from '#server/platform/limits/limits.ts'
import { mailboxOf } from '#server/platform/mail/email.ts'
import { transact } from '#server/platform/transact.ts'
import { isProofOf, readingPathOf, type Step } from './links.ts'
import {
  confirmFollower,
  deleteFollower,
  type Follower,
  findFollowable,
  findFollower,
  insertFollower,
} from './store.ts'

const HOUR_S = 60 * 60
const DAY_S = 24 * HOUR_S

/** Requests to follow, from one network and for one project. Each makes at most one email. */
const OF_NETWORK: Limit = { name: 'followers of a network', calls: 10, seconds: HOUR_S }
const OF_NETWORK_A_DAY: Limit = { name: 'followers of a network in a day', calls: 20, seconds: DAY_S }
const OF_PROJECT: Limit = { name: 'followers of a project', calls: 100, seconds: DAY_S }
/** Those on the whole server, 200 together: some for whoever comes first, and a few for each project once these are used up. */
const OF_SERVER: Limit = { name: 'followers of the server', calls: 150, seconds: DAY_S }
const OF_PROJECT_THEN: Limit = { name: 'followers of a project in the reserve', calls: 5, seconds: DAY_S }
const OF_RESERVE: Limit = { name: 'followers of the server in the reserve', calls: 50, seconds: DAY_S }
/** Emails to one mailbox that ask to confirm, for all projects together. */
const OF_MAILBOX: Limit = { name: 'followers at a mailbox', calls: 3, seconds: DAY_S }

/** What became of a request to follow. Nobody learns whether an address follows already. */
export type Asked = { outcome: 'asked' } | { outcome: 'invalid email' | 'too many'; sentence: string }

/** A person with the link of an email. */
export type Decision = {
  /** Null if the person may no longer read it. */
  project: { title: string; path: string } | null
  isConfirmed: boolean
  /** Whether a share link of their own leads to the project. */
  isShared: boolean
}

/** What readers without an account do about emails with the news of a project. */
export type Following = {
  /** Asks an address whether its owner wants to follow. Throws `not_found`. */
  ask(projectId: string, asked: { email: string; ip: string }): Promise<Asked>
  /** Returns what the link of an email decides; null for one that is not valid. */
  read(step: Step, id: string, proof: string): Promise<Decision | null>
  /** Confirms, or stops the emails, by the link of an email. Returns what it was about; null if the link is not valid. */
  decide(step: Step, id: string, proof: string): Promise<Decision | null>
}

type Deps = Pick<AppDeps, 'db' | 'clock' | 'events' | 'links' | 'emailQueues'>

/** Creates the functions for readers who follow by email. Without a mail server, nobody can. */
export function createFollowing(deps: Deps): Following {
  const { db, links } = deps

  const find = async (step: Step, id: string): Promise<Decision | null> => {
    const follower = await findFollower(db, id)
    if (follower) return presentDecision(links, follower)
    // Emails can be stopped whatever became of the project, and again.
    return step === 'stop' ? { project: null, isConfirmed: false, isShared: false } : null
  }
  const isValid = (step: Step, id: string, proof: string) =>
    idSchema.safeParse(id).success && isProofOf(links, { step, id, proof })

  return {
    ask: (projectId, asked) => askToFollow(deps, projectId, asked),

    read: async (step, id, proof) => (isValid(step, id, proof) ? find(step, id) : null),

    async decide(step, id, proof) {
      if (!isValid(step, id, proof)) return null
      if (step === 'confirm') await confirmFollower(db, id)
      const found = await find(step, id)
      if (step === 'stop') await deleteFollower(db, id)
      return found
    },
  }
}

const presentDecision = (links: AppDeps['links'], { project, link, isConfirmed }: Follower): Decision => ({
  project: { title: project.title, path: readingPathOf(links, project._id, link) },
  isConfirmed,
  isShared: link !== undefined,
})

async function askToFollow(
  deps: Deps,
  projectId: string,
  { email: typed, ip }: { email: string; ip: string },
): Promise<Asked> {
  const { db, clock, emailQueues } = deps
  if (!emailQueues || !(await findFollowable(db, projectId))) throw notFound('Project')
  const { data: email, error } = emailSchema.safeParse(typed)
  if (email === undefined)
    return { outcome: 'invalid email', sentence: error.issues[0]?.message ?? 'This is not an email address' }
  try {
    await transact(deps, async (trx) => {
      const counting = { trx, now: clock() }
      if (!(await isUnderLimitOfNetwork(counting, OF_NETWORK, ip))) throw tooMany()
      if (!(await isUnderLimitOfNetwork(counting, OF_NETWORK_A_DAY, ip))) throw tooMany()
      if (!(await isUnderLimit(counting, OF_PROJECT, projectId))) throw tooMany()
      if (!(await isWithinShare(counting, projectId))) throw tooMany()
      const id = await insertFollower(trx, { projectId, email })
      if (id !== undefined && (await isUnderLimit(counting, OF_MAILBOX, mailboxOf(email))))
        await emailQueues.followers.add(trx, { confirm: id, message: randomUUID() })
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests')
      return { outcome: 'too many', sentence: error.message }
    throw error
  }
  emailQueues.followers.wake()
  return { outcome: 'asked' }
}

/** Whether a request is among those for whoever comes first, or else in the share of its project. */
const isWithinShare = async (counting: { trx: Transaction<Schema>; now: Date }, projectId: string) =>
  (await isUnderLimit(counting, OF_SERVER)) ||
  ((await isUnderLimit(counting, OF_PROJECT_THEN, projectId)) && (await isUnderLimit(counting, OF_RESERVE)))

const tooMany = () =>
  new AppError(
    'too_many_requests',
    'Too many people asked to follow at this moment. Please try again later.',
    {
      retryAfter: HOUR_S,
    },
  )
