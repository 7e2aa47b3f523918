import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { type NoticeDeps, openNotices } from '#server/identity/account-notices.ts'

/** Emails about a password that was changed, or chosen with a link. */
export type PasswordEmails = {
  /** Queues the email in the transaction of the change. */
  add(trx: Transaction<Schema>, userId: string): Promise<unknown>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
}

/** Opens the queue of these emails. Only servers that send mail have it. */
export async function openPasswordEmails(deps: NoticeDeps): Promise<PasswordEmails> {
  const notices = await openNotices<{ changedAt: string }>(deps, {
    queue: 'password-notices',
    name: 'an email about a changed password',
    perDay: { name: 'password notices', calls: 10 },
    write: ({ changedAt }, { email, host, publicUrl, moment }) => ({
      subject: 'Your password for Milepost was changed',
      title: 'Your password was changed',
      opening: [
        `The password of the account ${email} on Milepost (${host}) was changed on ${moment(changedAt)}.`,
        'If it was not you, choose a new one now: that signs the account out everywhere.',
      ],
      action: { label: 'Choose a new password', url: `${publicUrl}/forgot-password` },
      closing: ['If it was you, there is nothing to do.'],
    }),
  })
  return {
    add: (trx, userId) => notices.add(trx, userId, { changedAt: deps.clock().toISOString() }),
    wake: () => notices.wake(),
  }
}
