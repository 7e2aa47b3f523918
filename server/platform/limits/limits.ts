import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { isOutage } from '#server/database/outage.ts'
import { AppError, databaseUnavailable } from '#server/platform/api/errors.ts'
import { networkOf, SITE_SHARE, siteOf } from '#server/platform/network.ts'
import { countCall, countCallWithin, extendWindow, isWindowOpen, resetCalls, uncountCall } from './store.ts'

/** A number of calls in a number of seconds, for all servers of the database together. */
export type Limit = { name: string; calls: number; seconds: number }

/** Counts a call of the network of an IP address. Throws `too_many_requests`, or `unavailable` in an outage. */
export async function enforceLimit<S>(
  { db, clock }: { db: Kysely<S>; clock: () => Date },
  { name, calls, seconds }: Limit,
  ip: string,
): Promise<void> {
  const now = clock()
  for (const { whose, share } of networksOf(ip)) {
    const counted = { key: keyOf(name, whose), now, endsAt: later(now, seconds) }
    const count = await countCall(db, counted).catch((error: unknown) => {
      throw isOutage(error) ? databaseUnavailable() : error
    })
    if (count.calls > calls * share)
      throw new AppError('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
        retryAfter: secondsUntil(count.endsAt, now),
      })
  }
}

/** The networks that an IP address counts for, with their share of a limit: its own and, with IPv6, its site. */
function networksOf(ip: string): { whose: string; share: number }[] {
  const network = networkOf(ip)
  const site = siteOf(network)
  const own = { whose: network, share: 1 }
  return site === network ? [own] : [own, { whose: site, share: SITE_SHARE }]
}

/** Counts an action by or towards somebody in a transaction; returns whether it is within the limit. */
export async function isUnderLimit<S>(
  { trx, now }: { trx: Transaction<S>; now: Date },
  { name, calls, seconds }: Limit,
  ...whom: string[]
): Promise<boolean> {
  const count = await countCallWithin(trx, { key: keyOf(name, ...whom), now, endsAt: later(now, seconds) })
  return count.calls <= calls
}

/** Counts an action from the network of an IP address in a transaction; returns whether it is within the limit. */
export async function isUnderLimitOfNetwork<S>(
  counting: { trx: Transaction<S>; now: Date },
  { calls, ...limit }: Limit,
  ip: string,
  ...whom: string[]
): Promise<boolean> {
  for (const { whose, share } of networksOf(ip))
    if (!(await isUnderLimit(counting, { ...limit, calls: calls * share }, ...whom, whose))) return false
  return true
}

/** A counted attempt to sign in. Call one method once its outcome is known, or none if it failed. */
export type Attempt = {
  /** Clears the failures of the network, and exempts it for a while from the limit of the account. */
  succeeded(): Promise<void>
  /** Undoes the count of the attempt: no password was compared. */
  withdrawn(): Promise<void>
}

export type AttemptLimits = {
  /** Failures from one network for one account. */
  network: Limit
  /** Failures for one account from all networks together from which its owner has not signed in. */
  account: Limit
  /** How long a network stays known after a sign-in. */
  knownSeconds: number
}

/**
 * Counts an attempt before its password is compared, so that parallel guesses cannot outrun the count. An account is
 * locked for one network after a few failures, and for all networks that it does not know after many. Somebody who
 * guesses from many networks therefore cannot lock the owner out of the networks that they usually sign in from. Throws
 * the error that `locked` creates from the seconds to wait.
 */
export async function countAttempt<S>(
  { db, now, limits }: { db: Kysely<S>; now: Date; limits: AttemptLimits },
  { account, ip }: { account: string; ip: string },
  locked: (retryAfter: number) => AppError,
): Promise<Attempt> {
  const { network: here, account: everywhere, knownSeconds } = limits
  const hereKey = keyOf(here.name, account, networkOf(ip))
  const everywhereKey = keyOf(everywhere.name, account)
  const knownKey = keyOf('known', hereKey)

  const local = await countCall(db, { key: hereKey, now, endsAt: later(now, here.seconds) })
  if (local.calls > here.calls) throw locked(secondsUntil(local.endsAt, now))
  const isKnown = await isWindowOpen(db, knownKey, now)
  if (!isKnown) {
    const all = await countCall(db, { key: everywhereKey, now, endsAt: later(now, everywhere.seconds) })
    if (all.calls > everywhere.calls) {
      await uncountCall(db, hereKey)
      throw locked(secondsUntil(all.endsAt, now))
    }
  }

  return {
    async succeeded() {
      await resetCalls(db, hereKey)
      await extendWindow(db, knownKey, later(now, knownSeconds))
      if (!isKnown) await uncountCall(db, everywhereKey)
    },
    async withdrawn() {
      await uncountCall(db, hereKey)
      if (!isKnown) await uncountCall(db, everywhereKey)
    },
  }
}

/** Clears the failed attempts from a network for an account whose owner has signed in otherwise. */
export function clearAttempts<S>(
  db: Kysely<S>,
  { network }: AttemptLimits,
  { account, ip }: { account: string; ip: string },
): Promise<void> {
  return resetCalls(db, keyOf(network.name, account, networkOf(ip)))
}

const later = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1000)

const secondsUntil = (date: Date, now: Date) => Math.max(1, (date.getTime() - now.getTime()) / 1000)

/** Keys are hashed, so that the table does not list people or networks. */
const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('base64url')
