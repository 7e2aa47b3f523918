import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import type { Schema } from '#server/database/rows.ts'
import { deletionOf } from '#server/identity/open-session.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { dayFor } from '#server/platform/mail/dates.ts'
import { composeEmail } from '#server/platform/mail/email.ts'
import { deliver, type Email, type Mail } from '#server/platform/mail/mail.ts'
import { findLeaving } from './deletion-store.ts'

type Deps = { db: Kysely<Schema>; mail: Mail; jobs: Jobs; publicUrl: string; log: Logger }

/** Emails that announce the deletion of an account, and until when its owner can cancel it. */
export type LeavingEmails = {
  /** Queues the email in the transaction that starts the deletion. */
  add(trx: Transaction<Schema>, userId: string): Promise<void>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
}

/** Opens the queue of these emails. Only servers that send mail have it. */
export async function openLeavingEmails(deps: Deps): Promise<LeavingEmails> {
  const emails = await deps.jobs.queue<{ id: string; userId: string }>('leaving-emails', (job) =>
    send(deps, job),
  )
  return {
    add: (trx, userId) => emails.add(trx, { id: uuidv7(), userId }),
    wake: () => emails.wake(),
  }
}

async function send({ db, mail, publicUrl, log }: Deps, { id, userId }: { id: string; userId: string }) {
  const user = await findLeaving(db, userId)
  if (!user) return // the deletion was canceled, or is complete
  await deliver(
    { mail, log },
    'an email about the deletion of an account',
    leavingEmail(publicUrl, { id, ...user }),
  )
}

function leavingEmail(
  publicUrl: string,
  { id, email, since, dates }: { id: string; email: string; since: Date; dates: DatePreferences },
): Email {
  return {
    id,
    to: email,
    subject: 'Your account on Milepost will be deleted',
    ...composeEmail({
      title: 'Your account will be deleted',
      opening: [
        `The account ${email} on Milepost (${new URL(publicUrl).host}) will be deleted on ${dayFor(deletionOf(since), dates)}, with its projects.`,
        'If it was not you, or if you change your mind, sign in before then and keep it.',
      ],
      action: { label: 'Sign in', url: `${publicUrl}/login` },
      closing: ['If you want it deleted, there is nothing to do.'],
    }),
  }
}
