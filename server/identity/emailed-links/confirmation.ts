import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { EmailChangeHook } from '#server/identity/identity.ts'
import { AppError, conflict, notSignedIn } from '#server/platform/api/errors.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { composeEmail, mailboxOf } from '#server/platform/mail/email.ts'
import type { Email } from '#server/platform/mail/mail.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { type LinkDeps, linkExpired, openEmailedLinks } from './links.ts'
import {
  confirmAddress,
  findConfirmation,
  findRequestedSince,
  findUnsentConfirmation,
  insertConfirmation,
  lockAccount,
  lockApplicationUser,
} from './store.ts'

const MINUTE_S = 60
const DAY_S = 24 * 60 * MINUTE_S
const PER_DAY = 5
/** Limit of one mailbox, across all accounts. */
const MAILBOX_LIMIT = { name: 'confirmations', calls: 2 * PER_DAY, seconds: DAY_S }

type Deps = LinkDeps & {
  /** The issuer of this provider's ID tokens. */
  issuer: string
  onEmailChange?: EmailChangeHook | undefined
}

/** Lets users confirm the email of their account with an emailed link. */
export type Confirmations = {
  /** Sends the first link. Never throws: the account already exists, and another link can be requested. */
  begin(userId: string): Promise<void>
  /** Queues an email with a link. Throws `conflict` if the email is already confirmed, or `too_many_requests`. */
  ask(userId: string): Promise<void>
  /**
   * Redeems a link in a session of its account. Until the link expires, redeeming it again succeeds without an effect, in case
   * the response was lost. Throws `expired` or `wrong_account`.
   */
  confirm(userId: string, token: string): Promise<void>
}

/** Opens the queue of confirmations. Only servers that send mail have it. */
export async function createConfirmations(deps: Deps): Promise<Confirmations> {
  const { db, publicUrl, log, clock, issuer, onEmailChange } = deps
  const links = await openEmailedLinks(deps, {
    purpose: 'confirmation of an address',
    name: 'a confirmation email',
    // The name of the first release, so that an update sends the emails that are queued.
    queue: 'confirmation-letters',
    table: 'identity.confirmations',
    lifetimeSeconds: DAY_S,
    findUnsent: findUnsentConfirmation,
    compose: (link) => confirmationEmail(publicUrl, link),
  })

  async function ask(userId: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const now = clock()
      const account = await lockAccount(trx, userId)
      if (!account) throw notSignedIn()
      if (account.emailVerified) throw conflict('This address is confirmed already')
      await limitEmails({ trx, now }, { userId, email: account.email })
      const link = links.create(now)
      await insertConfirmation(trx, { ...link, userId, email: account.email })
      await links.add(trx, link.id)
    })
    links.wake()
  }

  return {
    ask,

    async begin(userId) {
      try {
        await ask(userId)
      } catch (error) {
        const level = error instanceof AppError ? 'warn' : 'error'
        log[level]({ err: error }, 'the first confirmation email could not be queued')
      }
    },

    async confirm(userId, token) {
      const afterCommit = await db.transaction().execute(async (trx) => {
        const now = clock()
        await lockApplicationUser(trx, { issuer, userId })
        const account = await lockAccount(trx, userId)
        const link = await findConfirmation(trx, hashOfToken(token, 'base64url'))
        if (!link || link.expiresAt <= now) throw linkExpired()
        if (!account || link.userId !== userId)
          throw new AppError('wrong_account', 'This link was sent for another account: sign in to that one')
        if (link.email !== account.email) throw linkExpired()
        if (account.emailVerified) return undefined
        const person = await confirmAddress(trx, { issuer, userId, redeemed: link.id, now })
        return person && onEmailChange?.(trx, { ...person, emailVerified: true })
      })
      afterCommit?.()
    },
  }
}

/** Enforces the email limits of an account, whose row is locked, and of its mailbox. Throws `too_many_requests`. */
async function limitEmails(
  { trx, now }: { trx: Transaction<Schema>; now: Date },
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const requested = await findRequestedSince(trx, userId, new Date(now.getTime() - DAY_S * 1000))
  if (requested.length >= PER_DAY) throw tooMany(DAY_S / PER_DAY)
  const [latest] = requested
  const sinceLatest = latest ? (now.getTime() - latest.getTime()) / 1000 : MINUTE_S
  if (sinceLatest < MINUTE_S) throw tooMany(MINUTE_S - sinceLatest)
  if (!(await isUnderLimit({ trx, now }, MAILBOX_LIMIT, mailboxOf(email)))) throw tooMany(DAY_S / PER_DAY)
}

const tooMany = (retryAfter: number) =>
  new AppError('too_many_requests', 'A link was sent a moment ago. Look for it, or ask again later.', {
    retryAfter,
  })

/**
 * Composes the email with the link. It contains no user input except the email address: anybody can register with another
 * person's email, and could otherwise send a message to them.
 */
function confirmationEmail(
  publicUrl: string,
  { id, email, token }: { id: string; email: string; token: string },
): Email {
  return {
    id,
    to: email,
    subject: 'Confirm your email address for Milepost',
    ...composeEmail({
      title: 'Confirm your email address',
      opening: [
        `Somebody made an account on Milepost (${new URL(publicUrl).host}) with the address ${email}. If it was you, confirm that the address is yours.`,
      ],
      action: { label: 'Confirm this address', url: `${publicUrl}/verify-email/${token}` },
      closing: [
        'The link works once, within 24 hours, and only for somebody who is signed in to that account.',
        'If it was not you, leave it: the address then counts as nobody’s.',
      ],
    }),
  }
}
