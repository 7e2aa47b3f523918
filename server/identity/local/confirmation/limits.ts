import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { AppError } from '#server/platform/errors.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { mailboxOf } from '#server/platform/mail/email.ts'
import { findAskedSince } from './store.ts'

const MINUTE_S = 60
const DAY_S = 24 * 60 * MINUTE_S
const PER_DAY = 5
/** Of all accounts together whose addresses lead to one mailbox. */
const OF_MAILBOX = { name: 'confirmations', calls: 2 * PER_DAY, seconds: DAY_S }

/** Bounds how many links an account, which is locked, and its mailbox are sent. Throws `too_many_requests`. */
export async function refuseHaste(
  { trx, now }: { trx: Transaction<Schema>; now: Date },
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const asked = await findAskedSince(trx, userId, new Date(now.getTime() - DAY_S * 1000))
  if (asked.length >= PER_DAY) throw tooMany(DAY_S / PER_DAY)
  const [latest] = asked
  const sinceLatest = latest ? (now.getTime() - latest.getTime()) / 1000 : MINUTE_S
  if (sinceLatest < MINUTE_S) throw tooMany(MINUTE_S - sinceLatest)
  if (!(await isUnderLimit({ trx, now }, OF_MAILBOX, mailboxOf(email)))) throw tooMany(DAY_S / PER_DAY)
}

const tooMany = (retryAfter: number) =>
  new AppError('too_many_requests', 'A link was sent a moment ago. Look for it, or ask again later.', {
    retryAfter,
  })
