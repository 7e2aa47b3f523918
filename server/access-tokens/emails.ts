import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import { datesOf } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { momentFor } from '#server/platform/mail/dates.ts'
import { composeEmail } from '#server/platform/mail/email.ts'
import { deliver, type Mail } from '#server/platform/mail/mail.ts'
import { findForNotice } from './store.ts'

type Deps = { db: Kysely<Schema>; mail: Mail; jobs: Jobs; publicUrl: string; log: Logger }

/** Emails about a new access token in an account. */
export type AccessTokenEmails = {
  /** Queues the email in the transaction that creates the token. */
  add(trx: Transaction<Schema>, tokenId: string): Promise<void>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
}

/** Opens the queue of these emails. Only servers that send mail have it. */
export async function openAccessTokenEmails(deps: Deps): Promise<AccessTokenEmails> {
  const emails = await deps.jobs.queue<{ tokenId: string }>('access-token-emails', (job) => send(deps, job))
  return {
    add: (trx, tokenId) => emails.add(trx, { tokenId }),
    wake: () => emails.wake(),
  }
}

async function send({ db, mail, publicUrl, log }: Deps, { tokenId }: { tokenId: string }): Promise<void> {
  const token = await findForNotice(db, tokenId)
  if (!token) return // it was revoked
  await deliver({ mail, log }, 'an email about an access token', {
    id: tokenId,
    to: token.email,
    subject: 'A new access token on Milepost',
    ...composeEmail({
      title: 'A new access token',
      opening: [
        `An access token was made in your account on Milepost (${new URL(publicUrl).host}) on ${momentFor(token.created_at, datesOf(token))}. With it, a program can act for you.`,
      ],
      action: { label: 'See your access tokens', url: `${publicUrl}/settings` },
      closing: ['If you made it, there is nothing to do. If not, revoke it and change your password.'],
    }),
  })
}
