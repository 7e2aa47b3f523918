import type { Transaction } from 'kysely'
import { datesOf } from '#server/database/people.ts'
import type { DateColumns, Schema } from '#server/database/rows.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { momentFor } from '#server/platform/mail/dates.ts'
import { composeEmail, mailboxOf } from '#server/platform/mail/email.ts'
import { deliver, type Email } from '#server/platform/mail/mail.ts'
import { findFormerEmail } from './email-change-store.ts'
import type { LinkDeps } from './links.ts'

/** Limit of one mailbox, across all accounts: anybody can register with anybody's email. */
const MAILBOX_LIMIT = { name: 'email change notices', calls: 10, seconds: 24 * 60 * 60 }

/** Emails to the former address after the email of an account has changed. */
export type EmailChangeEmails = {
  /** Queues the email in the transaction of the change, unless its mailbox has reached its limit. */
  add(trx: Transaction<Schema>, change: { formerId: string; email: string; now: Date }): Promise<void>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
}

/** Opens the queue of these emails. Only servers that send mail have it. */
export async function openEmailChangeEmails({
  db,
  mail,
  jobs,
  publicUrl,
  log,
}: LinkDeps): Promise<EmailChangeEmails> {
  const emails = await jobs.queue<{ id: string }>('email-change-notices', async ({ id }) => {
    const former = await findFormerEmail(db, id)
    if (!former) return // the account was deleted
    await deliver(
      { mail, log },
      'an email about a changed address',
      noticeEmail(publicUrl, { id, ...former }),
    )
  })
  return {
    async add(trx, { formerId, email, now }) {
      if (await isUnderLimit({ trx, now }, MAILBOX_LIMIT, mailboxOf(email)))
        await emails.add(trx, { id: formerId })
    },
    wake: () => emails.wake(),
  }
}

/** Composes the email. It omits the new address, because the former one may never have belonged to the account's owner. */
function noticeEmail(
  publicUrl: string,
  { id, email, changedAt, ...row }: { id: string; email: string; changedAt: Date } & DateColumns,
): Email {
  const host = new URL(publicUrl).host
  return {
    id,
    to: email,
    subject: 'The address of your account on Milepost was changed',
    ...composeEmail({
      title: 'The address of your account was changed',
      opening: [
        `The account ${email} on Milepost (${host}) has another address since ${momentFor(changedAt, datesOf(row))}. You sign in with that one now.`,
        'If it was not you, tell the people who run this server at once.',
      ],
      action: { label: 'Open Milepost', url: publicUrl },
      closing: ['If it was you, there is nothing to do.'],
    }),
  }
}
