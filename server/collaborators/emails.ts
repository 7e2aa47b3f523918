import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { JobQueue } from '#contract/administration.ts'
import { INVITATION_DAYS } from '#contract/collaborators.ts'
import type { Schema } from '#server/database/rows.ts'
import { shownName } from '#server/files/people.ts'
import type { Events } from '#server/platform/events/events.ts'
import type { Jobs, Queue } from '#server/platform/jobs.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { composeEmail, harmless, mailboxOf } from '#server/platform/mail/email.ts'
import { deliver, type Email, type Mail } from '#server/platform/mail/mail.ts'
import type { TokenCipher } from '#server/platform/token-cipher.ts'
import {
  type EmailOrder,
  findUnmailed,
  listUnmailed,
  markMailed,
  markUndeliverable,
} from './invitation-email-store.ts'

export type InvitationEmails = Queue<EmailOrder>

type Deps = {
  db: Kysely<Schema>
  mail: Mail
  jobs: Jobs
  publicUrl: string
  tokenCipher: TokenCipher
  log: Logger
  clock: () => Date
  /** Tells the people of a project that an invitation could not be delivered. */
  events?: Pick<Events, 'publish'> | undefined
}

/** Opens the queue that emails invitations to projects. */
export function openInvitationEmails(deps: Deps): Promise<InvitationEmails> {
  return openInvitationQueue(deps, {
    name: 'an invitation',
    // The name of the first release, so that emails that are queued during an upgrade are sent.
    queue: 'invitation-letters',
    findUnmailed,
    markMailed,
    async markUndeliverable(db, order, now) {
      const project = await markUndeliverable(db, order, now)
      if (project !== undefined) deps.events?.publish({ project })
    },
    compose: (invitation) => invitationEmail(deps.publicUrl, invitation),
  })
}

type Unmailed = { email: string; token_encrypted: Buffer | null }

/** A kind of invitation whose link is emailed. */
type InvitationKind<Found extends Unmailed> = {
  /** The name of the invitation in the log. */
  name: string
  queue: JobQueue
  findUnmailed: (db: Kysely<Schema>, order: EmailOrder, now: Date) => Promise<Found | undefined>
  markMailed: (db: Kysely<Schema>, order: EmailOrder, now: Date) => Promise<void>
  markUndeliverable: (db: Kysely<Schema>, order: EmailOrder, now: Date) => Promise<void>
  compose: (invitation: Found & EmailOrder & { token: string }) => Email
}

/** Opens the queue that emails invitations of one kind once, unless they were withdrawn, answered or renewed before. */
export function openInvitationQueue<Found extends Unmailed>(
  { db, mail, jobs, tokenCipher, log, clock }: Deps,
  { name, queue, findUnmailed, markMailed, markUndeliverable, compose }: InvitationKind<Found>,
): Promise<InvitationEmails> {
  async function send(order: EmailOrder): Promise<void> {
    const invitation = await findUnmailed(db, order, clock())
    if (!invitation) return
    const token = tokenCipher.decrypt(invitation.token_encrypted, order.id)
    if (token === null) {
      log.warn(`${name} was not mailed: its token was encrypted under another token secret`)
      return
    }
    const email = compose({ ...invitation, ...order, token })
    const isDelivered = await deliver({ mail, log }, name, email)
    await (isDelivered ? markMailed : markUndeliverable)(db, order, clock())
  }

  return jobs.queue<EmailOrder>(queue, send)
}

/** Enough characters of the hash to distinguish emails in a one-line header. */
const ID_LENGTH = 32

type Invited = { tokenHash: string; token: string; email: string; title: string; name: string | null }

/** Composes the email with the link of an invitation. */
export function invitationEmail(publicUrl: string, invited: Invited): Email {
  const { tokenHash, token, email, title, name } = invited
  const host = new URL(publicUrl).host
  const project = `“${harmless(title)}”`
  return {
    id: `invitation-${tokenHash.slice(0, ID_LENGTH)}`,
    to: email,
    subject: `You are invited to ${project} on Milepost`,
    ...composeEmail({
      title: 'You are invited to a project',
      opening: [
        `${harmless(shownName(name))} invited you to collaborate on the project ${project} on Milepost (${host}).`,
      ],
      action: { label: 'See the invitation', url: `${publicUrl}/invite/${token}` },
      closing: [
        `The link can be answered within ${INVITATION_DAYS} days, by somebody who is signed in with the address ${email}.`,
        'If you do not know who invited you, or do not want to join, ignore this email or decline.',
      ],
    }),
  }
}

const DAY_SECONDS = 24 * 60 * 60

/** The maximum number of invitation emails per mailbox and day, from all inviters together. */
export const EMAILS_PER_MAILBOX = 6
/** The maximum number from one inviter, so that one person cannot use up the limit of a mailbox. */
export const EMAILS_PER_INVITER = 3

const OF_ONE = { name: 'emails of one inviter', calls: EMAILS_PER_INVITER, seconds: DAY_SECONDS }
const OF_ALL = { name: 'emails of all inviters', calls: EMAILS_PER_MAILBOX, seconds: DAY_SECONDS }

/**
 * Counts an unsolicited email and returns whether it may be sent. If not, the invitation is valid all the same and nothing
 * is reported: the inviter must not learn how many emails a mailbox gets.
 */
export async function mayBeMailed(
  counting: { trx: Transaction<Schema>; now: Date },
  { email, inviterId }: { email: string; inviterId: string },
): Promise<boolean> {
  const mailbox = mailboxOf(email)
  return (await isUnderLimit(counting, OF_ONE, mailbox, inviterId)) && isUnderLimit(counting, OF_ALL, mailbox)
}

/**
 * Queues the invitation emails of a restored project that were due while it was deleted. A mailbox that reached its limit
 * gets none.
 */
export async function queueUnmailed(
  emails: InvitationEmails | undefined,
  { trx, now }: { trx: Transaction<Schema>; now: Date },
  projectId: string,
): Promise<void> {
  if (!emails) return
  for (const { id, email, tokenHash, inviterId } of await listUnmailed(trx, projectId, now))
    if (inviterId && tokenHash && (await mayBeMailed({ trx, now }, { email, inviterId })))
      await emails.add(trx, { id, tokenHash })
}
