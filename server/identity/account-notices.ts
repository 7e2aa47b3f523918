import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { JobQueue } from '#contract/administration.ts'
import { findAccountEmail, findDates } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import { isUnderLimit, type Limit } from '#server/platform/limits/limits.ts'
import { momentFor } from '#server/platform/mail/dates.ts'
import { composeEmail, type EmailText, mailboxOf } from '#server/platform/mail/email.ts'
import { deliver } from '#server/platform/mail/mail.ts'
import type { LinkDeps } from './emailed-links/links.ts'

export type NoticeDeps = Omit<LinkDeps, 'secrets'>

/** What the text of a notice is written with. `moment`: how the reader writes a moment. */
export type NoticeContext = { email: string; host: string; publicUrl: string; moment: (at: string) => string }

type Kind<Fields> = {
  queue: JobQueue
  /** What the email is called in logs. */
  name: string
  /** Limit of one mailbox a day, across all accounts: anybody can register with anybody's email. */
  perDay: { name: string; calls: number }
  write: (fields: Fields, context: NoticeContext) => EmailText & { subject: string }
}

/** Emails to the owner of an account about what has happened to it. */
export type AccountNotices<Fields> = {
  /** Queues the email in the transaction of the change, unless its mailbox has reached its limit. Returns whether it is queued. */
  add(trx: Transaction<Schema>, userId: string, fields: Fields): Promise<boolean>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
}

/** Opens the queue of one kind of notice. Only servers that send mail have it. */
export async function openNotices<Fields extends object>(
  { db, mail, jobs, publicUrl, log, clock }: NoticeDeps,
  { queue, name, perDay, write }: Kind<Fields>,
): Promise<AccountNotices<Fields>> {
  const limit: Limit = { ...perDay, seconds: 24 * 60 * 60 }
  const { host } = new URL(publicUrl)
  const emails = await jobs.queue<Fields & { id: string; userId: string }>(queue, async (notice) => {
    const email = await findAccountEmail(db, notice.userId)
    if (email === undefined) return // the account was deleted
    const dates = await findDates(db, notice.userId)
    const moment = (at: string) => momentFor(new Date(at), dates)
    const { subject, ...text } = write(notice, { email, host, publicUrl, moment })
    await deliver({ mail, log }, name, { id: notice.id, to: email, subject, ...composeEmail(text) })
  })
  return {
    async add(trx, userId, fields) {
      const email = await findAccountEmail(trx, userId)
      if (email === undefined || !(await isUnderLimit({ trx, now: clock() }, limit, mailboxOf(email))))
        return false
      await emails.add(trx, { ...fields, id: uuidv7(), userId })
      return true
    },
    wake: () => emails.wake(),
  }
}
