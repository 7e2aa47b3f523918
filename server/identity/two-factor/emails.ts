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
const MAILBOX_LIMIT = { name: 'two-factor notices', calls: 20, seconds: 24 * 60 * 60 }

type Deps = {
  db: Kysely<Schema>
  mail: Mail
  jobs: Jobs
  publicUrl: string
  log: Logger
}

type About = 'on' | 'off' | 'off_by_administrator' | 'new_recovery_codes' | 'recovery_code_used'

type Notice = { id: string; userId: string; about: About; at: string }

/** Emails about changes to the second factor of an account. */
export type TwoFactorEmails = {
  /** Queues the email in the transaction of the change, unless its mailbox has reached its limit. */
  add(trx: Transaction<Schema>, event: { userId: string; about: About; now: Date }): Promise<void>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
}

/** Opens the queue of these emails. Only servers that send mail have it. */
export async function openTwoFactorEmails(deps: Deps): Promise<TwoFactorEmails> {
  const emails = await deps.jobs.queue<Notice>('two-factor-notices', (notice) => send(deps, notice))
  return {
    async add(trx, { userId, about, now }) {
      const email = await findEmail(trx, userId)
      if (email === undefined || !(await isUnderLimit({ trx, now }, MAILBOX_LIMIT, mailboxOf(email)))) return
      await emails.add(trx, { id: uuidv7(), userId, about, at: now.toISOString() })
    },
    wake: () => emails.wake(),
  }
}

async function send({ db, mail, publicUrl, log }: Deps, { id, userId, about, at }: Notice) {
  const email = await findEmail(db, userId)
  if (email === undefined) return // the account was deleted
  const dates = await findDates(db, userId)
  const notice = noticeEmail(publicUrl, { id, email, about, at: new Date(at), dates })
  await deliver({ mail, log }, 'an email about two-step sign-in', notice)
}

const texts: { [about in About]: { title: string; happened: string; advice: string } } = {
  on: {
    title: 'Two-step sign-in was turned on',
    happened: 'Two-step sign-in was turned on',
    advice:
      'From now on, signing in also requires a code from your authenticator app. Keep your recovery codes safe.',
  },
  off: {
    title: 'Two-step sign-in was turned off',
    happened: 'Two-step sign-in was turned off',
    advice: 'From now on, you sign in with your password only.',
  },
  off_by_administrator: {
    title: 'Two-step sign-in was turned off',
    happened: 'Two-step sign-in was turned off by an administrator',
    advice: 'You now sign in with your password only. Turn two-step sign-in on again in the settings.',
  },
  new_recovery_codes: {
    title: 'You have new recovery codes',
    happened: 'New recovery codes for two-step sign-in were created',
    advice: 'Your previous codes no longer work.',
  },
  recovery_code_used: {
    title: 'A recovery code was used',
    happened: 'A recovery code for two-step sign-in was used',
    advice: 'It no longer works. You can create new ones in the settings.',
  },
}

function noticeEmail(
  publicUrl: string,
  {
    id,
    email,
    about,
    at,
    dates,
  }: { id: string; email: string; about: About; at: Date; dates: DatePreferences },
): Email {
  const { title, happened, advice } = texts[about]
  return {
    id,
    to: email,
    subject: `${title} for Milepost`,
    ...composeEmail({
      title,
      opening: [
        `${happened} for the account ${email} on Milepost (${new URL(publicUrl).host}) on ${momentFor(at, dates)}. ${advice}`,
        'If it was not you, somebody knows your password: choose a new one now, which signs the account out everywhere.',
      ],
      action: { label: 'Open the settings', url: `${publicUrl}/settings` },
      closing: [
        `To choose a new password, open ${publicUrl}/forgot-password.`,
        'If it was you, there is nothing to do.',
      ],
    }),
  }
}
