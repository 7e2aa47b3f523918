import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import { findDates } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { momentFor } from '#server/platform/mail/dates.ts'
import { composeEmail, mailboxOf } from '#server/platform/mail/email.ts'
import { deliver, type Email, type Mail } from '#server/platform/mail/mail.ts'
import { findEmail } from './store.ts'

/** Limit of one mailbox, across all accounts: anybody can register with anybody's email. */
const MAILBOX_LIMIT = { name: 'password notices', calls: 10, seconds: 24 * 60 * 60 }

type Deps = {
  db: Kysely<Schema>
  mail: Mail
  jobs: Jobs
  publicUrl: string
  log: Logger
  clock: () => Date
}

type Notice = { id: string; userId: string; changedAt: string }

/** Emails about a password that was changed, or chosen with a link. */
export type PasswordEmails = {
  /** Queues the email in the transaction of the change, unless its mailbox has reached its limit. */
  add(trx: Transaction<Schema>, userId: string): Promise<void>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
}

/** Opens the queue of these emails. Only servers that send mail have it. */
export async function openPasswordEmails(deps: Deps): Promise<PasswordEmails> {
  const { jobs, clock } = deps
  const emails = await jobs.queue<Notice>('password-notices', (notice) => send(deps, notice))
  return {
    async add(trx, userId) {
      const now = clock()
      const email = await findEmail(trx, userId)
      if (email === undefined || !(await isUnderLimit({ trx, now }, MAILBOX_LIMIT, mailboxOf(email)))) return
      await emails.add(trx, { id: uuidv7(), userId, changedAt: now.toISOString() })
    },
    wake: () => emails.wake(),
  }
}

async function send({ db, mail, publicUrl, log }: Deps, { id, userId, changedAt }: Notice) {
  const email = await findEmail(db, userId)
  if (email === undefined) return // the account was deleted
  const dates = await findDates(db, userId)
  const notice = noticeEmail(publicUrl, { id, email, changedAt: new Date(changedAt), dates })
  await deliver({ mail, log }, 'an email about a changed password', notice)
}

function noticeEmail(
  publicUrl: string,
  { id, email, changedAt, dates }: { id: string; email: string; changedAt: Date; dates: DatePreferences },
): Email {
  return {
    id,
    to: email,
    subject: 'Your password for Milepost was changed',
    ...composeEmail({
      title: 'Your password was changed',
      opening: [
        `The password of the account ${email} on Milepost (${new URL(publicUrl).host}) was changed on ${momentFor(changedAt, dates)}.`,
        'If it was not you, choose a new one now: that signs the account out everywhere.',
      ],
      action: { label: 'Choose a new password', url: `${publicUrl}/forgot-password` },
      closing: ['If it was you, there is nothing to do.'],
    }),
  }
}
