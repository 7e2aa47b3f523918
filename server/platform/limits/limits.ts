import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { isOutage } from '#server/database/outage.ts'
import { AppError, databaseUnavailable } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/network.ts'
import { countCall, countCallWithin } from './store.ts'

/** So many calls of one in so many seconds, on all servers of the database together. */
export type Limit = { name: string; calls: number; seconds: number }

/** Counts a call of the address's network. Throws `too_many_requests`, or `unavailable` where nobody can count. */
export async function demandUnderLimit<S>(
  { db, clock }: { db: Kysely<S>; clock: () => Date },
  { name, calls, seconds }: Limit,
  address: string,
): Promise<void> {
  const now = clock()
  const endsAt = new Date(now.getTime() + seconds * 1000)
  const count = await countCall(db, { key: keyOf(name, networkOf(address)), now, endsAt }).catch(
    (error: unknown) => {
      throw isOutage(error) ? databaseUnavailable() : error
    },
  )
  if (count.calls <= calls) return
  throw new AppError('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
    retryAfter: Math.max(1, (count.endsAt.getTime() - now.getTime()) / 1000),
  })
}

/** Counts with a transaction what is done for, or to, somebody; whether it is still within the limit. */
export async function isUnderLimit<S>(
  { trx, now }: { trx: Transaction<S>; now: Date },
  { name, calls, seconds }: Limit,
  ...whom: string[]
): Promise<boolean> {
  const endsAt = new Date(now.getTime() + seconds * 1000)
  const count = await countCallWithin(trx, { key: keyOf(name, ...whom), now, endsAt })
  return count.calls <= calls
}

/** Hashed: the table does not list who was here. */
const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('base64url')
