import type { Kysely, Transaction } from 'kysely'
import { DatabaseError } from 'pg'
import type { Schema } from '#server/database/rows.ts'
import type { EmailChangeHook, EmailChanges } from '#server/identity/identity.ts'
import { emailTaken } from '#server/identity/local/refusals.ts'
import { AppError, conflict, invalid, notSignedIn } from '#server/platform/api/errors.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { mailboxOf } from '#server/platform/mail/email.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import type { Confirmations } from './confirmation.ts'
import { changeEmail, type EmailChangeEmails, openEmailChangeEmails } from './email-change-emails.ts'
import {
  confirmEmailChangeLink,
  deleteEmailChange,
  endEmailChange,
  findEmailChangeOwner,
  findUnsentEmailChange,
  insertEmailChangeLink,
  listEmailChangeLinks,
  lockOpenSession,
  replaceApplicationEmail,
  replaceEmail,
} from './email-change-store.ts'
import { type LinkDeps, linkExpired, openEmailedLinks } from './links.ts'
import { lockAccount, lockApplicationUser } from './store.ts'

const DAY_S = 24 * 60 * 60

/** Limit of the changes that one account requests. */
const ACCOUNT_LIMIT = { name: 'email changes', calls: 5, seconds: DAY_S }
/** Limit of the links to one mailbox, across all accounts: the requester has not shown yet that it is theirs. */
const MAILBOX_LIMIT = { name: 'email changes to a mailbox', calls: 5, seconds: DAY_S }

type Deps = {
  db: Kysely<Schema>
  clock: () => Date
  publicUrl: string
  /** The issuer of this provider's ID tokens. */
  issuer: string
  /** Undefined if this server sends no mail; administrators then change emails. */
  linkDeps: LinkDeps | undefined
  confirmations: Confirmations | undefined
  onEmailChange?: EmailChangeHook | undefined
  /** Ends the sessions of a user except one, and deletes the links that could change their password or email. */
  deleteAccess: (trx: Transaction<Schema>, userId: string, remaining: string | null) => Promise<void>
}

/** Creates the email changes of the local provider. */
export async function createEmailChanges(deps: Deps): Promise<EmailChanges> {
  const { db, clock, linkDeps, confirmations } = deps
  const notices = linkDeps && (await openEmailChangeEmails(linkDeps))
  const applying = { ...deps, notices }

  return {
    begin: linkDeps && (await openBeginning(deps, linkDeps)),

    async confirm({ subject: userId, session }, token) {
      const { unconfirmed, afterCommit } = await db
        .transaction()
        .execute((trx) => confirmSide(trx, applying, { userId, session, token, now: clock() }))
        .catch((error: unknown) => {
          // Another person registered with the email concurrently.
          throw error instanceof DatabaseError && error.code === '23505' ? emailTaken() : error
        })
      afterCommit?.()
      return { unconfirmed }
    },

    async refuse(token) {
      if (!(await endEmailChange(db, hashOfToken(token, 'base64url'), clock()))) throw linkExpired()
    },

    cancel: (subject) => deleteEmailChange(db, subject),

    async findPending(subject) {
      const links = await listEmailChangeLinks(db, subject, clock())
      const next = links.find(({ side }) => side === 'new')
      if (!next) return null
      const waiting = links.filter(({ isConfirmed }) => !isConfirmed)
      return { email: next.newEmail, unconfirmed: waiting.map(({ side }) => side) }
    },

    async assign(trx, { subject: userId, email, remaining }) {
      const user = await lockApplicationUser(trx, { ...deps, userId })
      const account = user && (await lockAccount(trx, userId))
      if (!account) throw conflict('This account’s address is managed by another identity provider')
      const change = {
        userId,
        user,
        email: email.toLowerCase(),
        emailVerified: false,
        remaining,
        now: clock(),
      }
      const afterCommit = await applyChange(trx, applying, change)
      return () => {
        afterCommit()
        void confirmations?.begin(userId)
      }
    },
  }
}

/** Confirms the side that got this link, and applies the change once no side is unconfirmed. */
async function confirmSide(
  trx: Transaction<Schema>,
  applying: Applying,
  { userId, session, token, now }: { userId: string; session: string | null; token: string; now: Date },
): Promise<{ unconfirmed: Side[]; afterCommit?: () => void }> {
  const user = await lockApplicationUser(trx, { ...applying, userId })
  const account = await lockAccount(trx, userId)
  if (!account || !user || !(await lockOpenSession(trx, { userId, session }))) throw notSignedIn()
  const tokenHash = hashOfToken(token, 'base64url')
  const owner = await findEmailChangeOwner(trx, tokenHash, now)
  if (owner !== undefined && owner !== userId)
    throw new AppError('wrong_account', 'This link was sent for another account: sign in to that one')
  if (!(await confirmEmailChangeLink(trx, { tokenHash, userId, now }))) throw linkExpired()
  const links = await listEmailChangeLinks(trx, userId, now)
  const unconfirmed = sidesOf(account).filter(
    (side) => !links.some((link) => link.side === side && link.isConfirmed),
  )
  const next = links.find(({ side }) => side === 'new')
  // The current email was confirmed after the change was requested, or the other link has expired.
  if (!next || unconfirmed.some((side) => !links.some((link) => link.side === side))) throw linkExpired()
  if (unconfirmed.length > 0) return { unconfirmed }
  const change = { userId, user, email: next.newEmail, emailVerified: true, remaining: session, now }
  return { unconfirmed, afterCommit: await applyChange(trx, applying, change) }
}

type Side = 'current' | 'new'

/** Returns the sides that have to confirm a change: the current email only if it is verified. */
const sidesOf = ({ emailVerified }: { emailVerified: boolean }): Side[] =>
  emailVerified ? ['current', 'new'] : ['new']

type Applying = Pick<Deps, 'issuer' | 'deleteAccess' | 'onEmailChange'> & {
  notices: EmailChangeEmails | undefined
}

type Change = {
  userId: string
  user: { userId: string; email: string }
  email: string
  emailVerified: boolean
  /** The provider's session that remains. */
  remaining: string | null
  now: Date
}

/** Changes the email of an account, which is locked, and ends its other sessions. Throws `conflict`. */
async function applyChange(
  trx: Transaction<Schema>,
  { deleteAccess, onEmailChange, notices }: Applying,
  { userId, user, email, emailVerified, remaining, now }: Change,
): Promise<() => void> {
  await deleteAccess(trx, userId, remaining)
  if (!(await replaceEmail(trx, { userId, email, emailVerified, now }))) throw emailTaken()
  const formerId = await replaceApplicationEmail(trx, {
    userId: user.userId,
    former: user.email,
    email,
    emailVerified,
    now,
  })
  await notices?.add(trx, { formerId, email: user.email, now })
  const publish = await onEmailChange?.(trx, { userId: user.userId, email, emailVerified })
  return () => {
    notices?.wake()
    publish?.()
  }
}

async function openBeginning(
  { db, clock, publicUrl }: Deps,
  linkDeps: LinkDeps,
): Promise<NonNullable<EmailChanges['begin']>> {
  const links = await openEmailedLinks(linkDeps, {
    purpose: 'change of an address',
    name: 'an email to change an address',
    queue: 'email-change-emails',
    table: 'identity.email_change_links',
    lifetimeSeconds: DAY_S,
    findUnsent: findUnsentEmailChange,
    compose: (link) => changeEmail(publicUrl, link),
  })
  return async ({ subject: userId, session }, typed) => {
    const newEmail = typed.toLowerCase()
    await db.transaction().execute(async (trx) => {
      const now = clock()
      const account = await lockAccount(trx, userId)
      if (!account || !(await lockOpenSession(trx, { userId, session }))) throw notSignedIn()
      if (account.email === newEmail)
        throw invalid([{ path: 'email', message: 'This is the address of your account' }])
      const isWithin =
        (await isUnderLimit({ trx, now }, ACCOUNT_LIMIT, userId)) &&
        (await isUnderLimit({ trx, now }, MAILBOX_LIMIT, mailboxOf(newEmail)))
      if (!isWithin)
        throw new AppError('too_many_requests', 'Too many links were sent today. Try again tomorrow.', {
          retryAfter: DAY_S / ACCOUNT_LIMIT.calls,
        })
      await deleteEmailChange(trx, userId)
      for (const side of sidesOf(account)) {
        const link = links.create(now)
        const email = side === 'new' ? newEmail : account.email
        await insertEmailChangeLink(trx, { ...link, userId, side, email, newEmail })
        await links.add(trx, link.id)
      }
    })
    links.wake()
  }
}
