import { randomBytes } from 'node:crypto'
import { type OfferedReaction, REACTIONS, type ReactionKind } from '#contract/reactions.ts'
import type { AppDeps } from '#server/deps.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { isUnderLimit, isUnderLimitOfNetwork, type Limit } from '#server/platform/limits/limits.ts'
import { networkOf } from '#server/platform/network.ts'
import { transact } from '#server/platform/transact.ts'
import {
  deleteReaction,
  findOrAddSalt,
  findReactions,
  findSalt,
  insertReaction,
  type ShownEntry,
} from './store.ts'

const DAY_S = 24 * 60 * 60

/** Reactions that are given in a day: of one network to one entry and to all, to one project, and on the whole server. */
const TO_ENTRY: Limit = { name: 'reactions of a network to an entry', calls: 20, seconds: DAY_S }
const OF_NETWORK: Limit = { name: 'reactions of a network', calls: 60, seconds: DAY_S }
const TO_PROJECT: Limit = { name: 'reactions to a project', calls: 1_000, seconds: DAY_S }
const ON_SERVER: Limit = { name: 'reactions on the server', calls: 5_000, seconds: DAY_S }

/** Bytes of a hash that tells readers of one entry apart, and of a salt. */
const READER_BYTES = 16
const SALT_BYTES = 32

/** A browser, of which only a hash is stored. */
export type Browser = { ip: string; userAgent: string }

/** What readers without an account do about reactions. Each throws `not_found` for an entry that they do not see, or cannot react to. */
export type Reacting = {
  /** Returns the reactions to an entry, and which are of this reader. */
  read(shown: ShownEntry, browser: Browser): Promise<OfferedReaction[]>
  /** Gives a reaction, or takes it back; again, it does nothing. Throws `too_many_requests`. */
  set(shown: ShownEntry, browser: Browser, change: ReactionChange): Promise<void>
}

export type ReactionChange = { kind: ReactionKind; isGiven: boolean }

type Deps = Pick<AppDeps, 'db' | 'events' | 'links' | 'clock'>

/** Creates the functions for readers who react to entries. */
export function createReacting(deps: Deps): Reacting {
  const { db, links, clock } = deps

  /**
   * Returns what tells a reader of an entry apart for a year. It is signed too, so a copy of the database does not tell who reacted, even
   * with the salt.
   */
  const hashOf = (salt: Buffer, { entryId }: ShownEntry, { ip, userAgent }: Browser) => {
    const text = JSON.stringify(['reaction', salt.toString('base64'), entryId, networkOf(ip), userAgent])
    return Buffer.from(links.sign(text), 'base64url').subarray(0, READER_BYTES)
  }

  return {
    async read(shown, browser) {
      const salt = await findSalt(db)
      const found = await findReactions(db, shown, salt ? hashOf(salt, shown, browser) : null)
      if (!found) throw notFound('Entry')
      return REACTIONS.map((kind) => {
        const { count = 0, isMine = false } = found.find((counted) => counted.kind === kind) ?? {}
        return { kind, count, isMine }
      })
    },

    async set(shown, browser, { kind, isGiven }) {
      await transact(deps, async (trx) => {
        if (!(await findReactions(trx, shown, null))) throw notFound('Entry')
        const salt = await findOrAddSalt(trx, randomBytes(SALT_BYTES))
        const given = { kind, reader: hashOf(salt, shown, browser) }
        if (!isGiven) return deleteReaction(trx, shown, given)
        const counting = { trx, now: clock() }
        const isWithin =
          (await isUnderLimitOfNetwork(counting, TO_ENTRY, browser.ip, shown.entryId)) &&
          (await isUnderLimitOfNetwork(counting, OF_NETWORK, browser.ip)) &&
          (await isUnderLimit(counting, TO_PROJECT, shown.projectId)) &&
          (await isUnderLimit(counting, ON_SERVER))
        // Nothing is counted then: the transaction is rolled back.
        if (!isWithin) throw tooMany()
        if (!(await insertReaction(trx, shown, given))) throw notFound('Entry')
      })
    },
  }
}

const tooMany = () =>
  new AppError('too_many_requests', 'There were too many reactions today. Please try again tomorrow.', {
    retryAfter: DAY_S,
  })
