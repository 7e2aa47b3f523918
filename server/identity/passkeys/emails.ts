import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import { findDates } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import type { LinkDeps } from '#server/identity/emailed-links/links.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { momentFor } from '#server/platform/mail/dates.ts'
import { composeEmail, mailboxOf } from '#server/platform/mail/email.ts'
import { deliver, type Email } from '#server/platform/mail/mail.ts'
import { findEmail } from './store.ts'

/** Limit of one mailbox, across all accounts: anybody can register with anybody's email. */
const MAILBOX_LIMIT = { name: 'passkey notices', calls: 20, seconds: 24 * 60 * 60 }

type Notice = { id: string; userId: string; change: 'added' | 'removed'; changedAt: string }

/** Emails about passkeys that were added to an account or removed. */
export type PasskeyEmails = {
  /** Queues the email in the transaction of the change, unless its mailbox has reached its limit. */
  add(trx: Transaction<Schema>, userId: string, change: Notice['change']): Promise<void>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
}

/** Opens the queue of these emails. Only servers that send mail have it. */
export async function openPasskeyEmails(deps: LinkDeps): Promise<PasskeyEmails> {
  const { db, mail, jobs, log, publicUrl, clock } = deps
  const emails = await jobs.queue<Notice>('passkey-notices', async (notice) => {
    const email = await findEmail(db, notice.userId)
    if (email === undefined) return // the account was deleted
    const dates = await findDates(db, notice.userId)
    const written = noticeEmail(publicUrl, { ...notice, email, dates })
    await deliver({ mail, log }, 'an email about a passkey', written)
  })
  return {
    async add(trx, userId, change) {
      const now = clock()
      const email = await findEmail(trx, userId)
      if (email === undefined || !(await isUnderLimit({ trx, now }, MAILBOX_LIMIT, mailboxOf(email)))) return
      await emails.add(trx, { id: uuidv7(), userId, change, changedAt: now.toISOString() })
    },
    wake: () => emails.wake(),
  }
}

const texts = {
  added: {
    subject: 'A new passkey for your account on Milepost',
    title: 'A passkey was added',
    sentence: 'A passkey was added to',
    afterwards: 'Anybody who has the device can sign in with it.',
  },
  removed: {
    subject: 'A passkey of your account on Milepost was removed',
    title: 'A passkey was removed',
    sentence: 'A passkey was removed from',
    afterwards: 'Nobody can sign in with it any more.',
  },
}

function noticeEmail(
  publicUrl: string,
  { id, email, change, changedAt, dates }: Notice & { email: string; dates: DatePreferences },
): Email {
  const { subject, title, sentence, afterwards } = texts[change]
  const { host } = new URL(publicUrl)
  return {
    id,
    to: email,
    subject,
    ...composeEmail({
      title,
      opening: [
        `${sentence} the account ${email} on Milepost (${host}) on ${momentFor(new Date(changedAt), dates)}. ${afterwards}`,
        'If it was not you, look at your passkeys, sign out everywhere else and change your password.',
      ],
      action: { label: 'See your passkeys', url: `${publicUrl}/settings` },
      closing: ['If it was you, there is nothing to do.'],
    }),
  }
}
