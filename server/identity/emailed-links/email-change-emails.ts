import type { Transaction } from 'kysely'
import { datesOf } from '#server/database/people.ts'
import type { DateColumns } from '#server/database/rows/account.ts'
import type { Schema } from '#server/database/rows.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { momentFor } from '#server/platform/mail/dates.ts'
import { composeEmail, mailboxOf } from '#server/platform/mail/email.ts'
import { deliver, type Email } from '#server/platform/mail/mail.ts'
import { findFormerEmail, type UnsentEmailChange } from './email-change-store.ts'
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

type ChangeLink = UnsentEmailChange & { id: string; token: string }

/** Composes the email to the current or the new address. It contains no user input except the new address. */
export function changeEmail(publicUrl: string, link: ChangeLink): Email {
  const host = new URL(publicUrl).host
  const { id, email, newEmail, side, isTaken, token } = link
  const url = `${publicUrl}/email-change/${token}`
  if (side === 'new' && isTaken)
    return {
      id,
      to: email,
      subject: 'Your address has an account on Milepost already',
      ...composeEmail({
        title: 'There is already an account with your address',
        opening: [
          `Somebody asked to use ${email} for another account on Milepost (${host}). It has an account already, so nothing changes.`,
        ],
        action: { label: 'Sign in', url: `${publicUrl}/login` },
        closing: ['If it was not you, ignore this email.'],
      }),
    }
  const about =
    side === 'new'
      ? `Somebody asked to use ${email} for their account on Milepost (${host}). If it was you, confirm that the address is yours.`
      : `Somebody who knows your password asked to change the address of your account on Milepost (${host}) to ${newEmail}. If it was you, confirm it here too.`
  return {
    id,
    to: email,
    subject:
      side === 'new'
        ? 'Confirm your new address for Milepost'
        : 'Confirm the change of your address for Milepost',
    ...composeEmail({
      title: side === 'new' ? 'Confirm your new address' : 'Confirm the change of your address',
      opening: [about],
      action: { label: side === 'new' ? 'Confirm this address' : 'Look at the change', url },
      closing: [
        'The link works once, within 24 hours, and only for somebody who is signed in to that account.',
        side === 'new'
          ? 'If it was not you, ignore this email: nothing changes.'
          : 'If it was not you, open the link to stop the change, and choose a new password.',
      ],
    }),
  }
}
