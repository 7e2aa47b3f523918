import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { mailboxOf } from '#server/platform/mail/mailbox.ts'

const DAY_SECONDS = 24 * 60 * 60

/** How many letters with invitations a mailbox gets within a day, whoever sends them. */
export const LETTERS_PER_MAILBOX = 6
/** How many of them may be one inviter's, so that nobody uses up what others need. */
export const LETTERS_PER_INVITER = 3

const OF_ONE = { name: 'letters of one inviter', calls: LETTERS_PER_INVITER, seconds: DAY_SECONDS }
const OF_ALL = { name: 'letters of all inviters', calls: LETTERS_PER_MAILBOX, seconds: DAY_SECONDS }

/**
 * Counts a letter to somebody who did not ask for it; whether it may be sent. Where not, the invitation stands all the
 * same, and nobody is told: how much mail an address gets is not the inviter's to know.
 */
export async function mayBeMailed(
  counting: { trx: Transaction<Schema>; now: Date },
  { email, inviterId }: { email: string; inviterId: string },
): Promise<boolean> {
  const mailbox = mailboxOf(email)
  return (await isUnderLimit(counting, OF_ONE, mailbox, inviterId)) && isUnderLimit(counting, OF_ALL, mailbox)
}
