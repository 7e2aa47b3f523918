import { randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/database/rows.ts'
import {
  type AccountWords,
  consistsOfAccountWords,
  isCommonPassword,
} from '#server/identity/local/common-passwords.ts'
import { HASH_COST, type HashCost, hashPassword, type Semaphore } from '#server/identity/local/hashing.ts'
import type { PasswordEmails } from '#server/identity/local/password-emails.ts'
import { commonPassword, passwordOfAccountWords } from '#server/identity/local/refusals.ts'
import { ATTEMPT_LIMITS } from '#server/identity/local/service.ts'
import { conflict } from '#server/platform/api/errors.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { clearAttempts, enforceLimit, isUnderLimit } from '#server/platform/limits/limits.ts'
import { composeEmail, mailboxOf } from '#server/platform/mail/email.ts'
import type { Email } from '#server/platform/mail/mail.ts'
import { networkOf } from '#server/platform/network.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { type LinkDeps, linkExpired, openEmailedLinks } from './links.ts'
import { findPasswordEmail, findUnsentReset, insertReset, isResetOpen, redeemReset } from './store.ts'

const HOUR_S = 60 * 60

/** Limits of one mailbox, whether or not its emails have accounts. */
const MAILBOX_LIMITS = [
  { name: 'password resets in an hour', calls: 4, seconds: HOUR_S },
  { name: 'password resets in a day', calls: 10, seconds: 24 * HOUR_S },
]

/** Rate limits of one network. */
const NETWORK_LIMITS = {
  ask: { name: 'password resets', calls: 20, seconds: HOUR_S / 6 },
  redeem: { name: 'password resets redeemed', calls: 60, seconds: 60 },
}

type Deps = {
  db: Kysely<Schema>
  clock: () => Date
  publicUrl: string
  /** Undefined if this server sends no mail; administrators then create the links. */
  linkDeps: LinkDeps | undefined
  semaphore: Semaphore
  rateLimit: boolean
  /** What people call the issuer with which they can also sign in, if there is one. */
  issuerName?: string | undefined
  hashCost?: HashCost | undefined
  notices: PasswordEmails | undefined
  /** Sets the password hash of an account and ends its sessions and links; returns its user if it had a password. */
  replacePassword: (trx: Transaction<Schema>, email: string, hash: string) => Promise<string | undefined>
  findAccountWords: (trx: Transaction<Schema>, userId: string) => Promise<AccountWords>
}

/** Lets users choose a new password with a link from an email or from an administrator. */
export type PasswordResets = {
  /**
   * Queues an email with a link. Does the same work and succeeds whether or not there is an account: only the job looks it
   * up. Sends nothing beyond the limits of a mailbox, and throws `too_many_requests` beyond the limit of a network. Undefined
   * if this server sends no mail.
   */
  ask: ((email: string, ip: string) => Promise<void>) | undefined
  /** Creates the token of a link without sending it. Throws `conflict` for an account without a password. */
  makeLink: (trx: Transaction<Schema>, subject: string) => Promise<{ token: string; expiresAt: Date }>
  /** Redeems a link and ends all sessions of its account. Throws `expired`, `common_password` or `too_many_requests`. */
  redeem: (fields: { token: string; password: string }, ip: string) => Promise<void>
}

/** Creates the password resets of the local provider. */
export async function createPasswordResets(deps: Deps): Promise<PasswordResets> {
  const {
    db,
    semaphore,
    clock,
    rateLimit,
    notices,
    replacePassword,
    findAccountWords,
    hashCost = HASH_COST,
  } = deps

  return {
    ask: deps.linkDeps && (await openAsking(deps, deps.linkDeps)),

    async makeLink(trx, subject) {
      const email = await findPasswordEmail(trx, subject)
      if (email === undefined) throw conflict('This account has no password on this server')
      const token = randomBytes(32).toString('base64url')
      const now = clock()
      const expiresAt = new Date(now.getTime() + HOUR_S * 1000)
      await insertReset(trx, {
        id: uuidv7(),
        email,
        tokenHash: hashOfToken(token, 'base64url'),
        now,
        expiresAt,
      })
      return { token, expiresAt }
    },

    async redeem({ token, password }, ip) {
      if (rateLimit) await enforceLimit(deps, NETWORK_LIMITS.redeem, ip)
      const tokenHash = hashOfToken(token, 'base64url')
      // Before the password is hashed, which costs more than guessing a token.
      if (!(await isResetOpen(db, tokenHash, clock()))) throw linkExpired()
      if (isCommonPassword(password)) throw commonPassword()
      const hash = await semaphore(clientNamed(networkOf(ip)), () => hashPassword(password, hashCost))
      const account = await db.transaction().execute(async (trx) => {
        const email = await redeemReset(trx, tokenHash, clock())
        const userId = email === undefined ? undefined : await replacePassword(trx, email, hash)
        if (email === undefined || userId === undefined) throw linkExpired()
        if (consistsOfAccountWords(password, await findAccountWords(trx, userId)))
          throw passwordOfAccountWords()
        await notices?.add(trx, userId)
        return email
      })
      notices?.wake()
      await clearAttempts(db, ATTEMPT_LIMITS, { account, ip })
    },
  }
}

async function openAsking(
  { db, clock, publicUrl, rateLimit, issuerName = 'Google' }: Deps,
  linkDeps: LinkDeps,
): Promise<NonNullable<PasswordResets['ask']>> {
  const links = await openEmailedLinks(linkDeps, {
    purpose: 'reset of a password',
    name: 'an email to reset a password',
    queue: 'password-reset-emails',
    table: 'identity.password_resets',
    lifetimeSeconds: HOUR_S,
    findUnsent: findUnsentReset,
    compose: (link) =>
      link.hasPassword ? resetEmail(publicUrl, link) : noPasswordEmail(publicUrl, link, issuerName),
  })
  return async (typed, ip) => {
    if (rateLimit) await enforceLimit({ db, clock }, NETWORK_LIMITS.ask, ip)
    const email = typed.toLowerCase()
    await db.transaction().execute(async (trx) => {
      const now = clock()
      for (const limit of MAILBOX_LIMITS)
        if (!(await isUnderLimit({ trx, now }, limit, mailboxOf(email)))) return
      const link = links.create(now)
      await insertReset(trx, { ...link, email })
      await links.add(trx, link.id)
    })
    links.wake()
  }
}

const NOT_YOU = 'If it was not you, ignore this email: nothing changes.'

const askedAt = (publicUrl: string, email: string) =>
  `Somebody asked for a new password on Milepost (${new URL(publicUrl).host}) for the account ${email}.`

function resetEmail(
  publicUrl: string,
  { id, email, token }: { id: string; email: string; token: string },
): Email {
  return {
    id,
    to: email,
    subject: 'Choose a new password for Milepost',
    ...composeEmail({
      title: 'Choose a new password',
      opening: [`${askedAt(publicUrl, email)} If it was you, choose one now.`],
      action: { label: 'Choose a new password', url: `${publicUrl}/reset-password/${token}` },
      closing: ['The link works once, within an hour. It signs the account out everywhere.', NOT_YOU],
    }),
  }
}

/** Composes the email to an account without a password, whose user signs in through an issuer. */
function noPasswordEmail(
  publicUrl: string,
  { id, email }: { id: string; email: string },
  issuerName: string,
): Email {
  return {
    id,
    to: email,
    subject: 'Your account on Milepost has no password',
    ...composeEmail({
      title: 'Your account has no password',
      opening: [
        `${askedAt(publicUrl, email)} It has none: you sign in to it with “Continue with ${issuerName}”.`,
      ],
      action: { label: 'Sign in', url: `${publicUrl}/login` },
      closing: [NOT_YOU],
    }),
  }
}
