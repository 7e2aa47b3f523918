import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { type NoticeDeps, openNotices } from '#server/identity/account-notices.ts'

type Notice = { change: keyof typeof texts; changedAt: string }

/** Emails about passkeys that were added to an account or removed. */
export type PasskeyEmails = {
  /** Queues the email in the transaction of the change. */
  add(trx: Transaction<Schema>, userId: string, change: Notice['change']): Promise<unknown>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
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

/** Opens the queue of these emails. Only servers that send mail have it. */
export async function openPasskeyEmails(deps: NoticeDeps): Promise<PasskeyEmails> {
  const notices = await openNotices<Notice>(deps, {
    queue: 'passkey-notices',
    name: 'an email about a passkey',
    perDay: { name: 'passkey notices', calls: 20 },
    write({ change, changedAt }, { email, host, publicUrl, moment }) {
      const { subject, title, sentence, afterwards } = texts[change]
      return {
        subject,
        title,
        opening: [
          `${sentence} the account ${email} on Milepost (${host}) on ${moment(changedAt)}. ${afterwards}`,
          'If it was not you, look at your passkeys, sign out everywhere else and change your password.',
        ],
        action: { label: 'See your passkeys', url: `${publicUrl}/settings` },
        closing: ['If it was you, there is nothing to do.'],
      }
    },
  })
  return {
    add: (trx, userId, change) => notices.add(trx, userId, { change, changedAt: deps.clock().toISOString() }),
    wake: () => notices.wake(),
  }
}
