import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/database/rows.ts'
import type { AddressHook } from '#server/identity/identity.ts'
import { ISSUER } from '#server/identity/local/auth.ts'
import type { Secrets } from '#server/identity/secrets.ts'
import { AppError, notSignedIn } from '#server/platform/errors.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { Undeliverable } from '#server/platform/mail/email.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { confirmationEmail } from './email.ts'
import { refuseHaste } from './limits.ts'
import {
  confirmAddress,
  findByToken,
  findUnsent,
  insertConfirmation,
  lockAccount,
  markSent,
} from './store.ts'
import { hashOf, recoverToken, tokenOf } from './token.ts'

const DAY_MS = 24 * 60 * 60_000

export type ConfirmationDeps = {
  db: Kysely<Schema>
  secrets: Secrets
  mail: Mail
  jobs: Jobs
  publicUrl: string
  log: Logger
  clock: () => Date
  onAddress?: AddressHook | undefined
}

/** Has people confirm, by a link in a email, that the address of their account is theirs. */
export type Confirmations = {
  /** Sends the first link. Never throws: the account stands by itself, and another link can be asked for. */
  begin(userId: string): Promise<void>
  /** Sends a link, by a job. Throws `conflict` where the address is confirmed already, `too_many_requests`. */
  ask(userId: string): Promise<void>
  /** Uses a link, in the session of the account that it was sent for. Throws `expired` or `wrong_account`. */
  confirm(userId: string, token: string): Promise<void>
}

/** The confirmations of a server that sends mail. */
export async function createConfirmations(deps: ConfirmationDeps): Promise<Confirmations> {
  const { db, secrets, jobs, log, clock, onAddress } = deps
  const emails = await jobs.queue<{ id: string }>('confirmation-emails', ({ id }) => send(deps, id))

  async function ask(userId: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const now = clock()
      const account = await lockAccount(trx, userId)
      if (!account) throw notSignedIn()
      if (account.emailVerified) throw new AppError('conflict', 'This address is confirmed already')
      await refuseHaste({ trx, now }, { userId, email: account.email })
      const id = uuidv7()
      const tokenHash = hashOf(tokenOf(secrets.current, id))
      const expiresAt = later(now)
      await insertConfirmation(trx, { id, userId, email: account.email, tokenHash, now, expiresAt })
      await emails.add(trx, { id })
    })
    emails.wake()
  }

  return {
    ask,

    async begin(userId) {
      try {
        await ask(userId)
      } catch (error) {
        const level = error instanceof AppError ? 'warn' : 'error'
        log[level]({ err: error }, 'the first link to confirm an address could not be promised')
      }
    },

    async confirm(userId, token) {
      const afterwards = await db.transaction().execute(async (trx) => {
        const now = clock()
        const account = await lockAccount(trx, userId)
        const link = await findByToken(trx, hashOf(token))
        if (!link || link.expiresAt <= now) throw used()
        if (!account || link.userId !== userId)
          throw new AppError('wrong_account', 'This link was sent for another account: sign in to that one')
        if (link.email !== account.email) throw used()
        const person = await confirmAddress(trx, { issuer: ISSUER, userId, now })
        return person && onAddress?.(trx, { ...person, emailVerified: true })
      })
      afterwards?.()
    },
  }
}

async function send({ db, secrets, mail, publicUrl, log, clock }: ConfirmationDeps, id: string) {
  const link = await findUnsent(db, id, clock())
  if (!link) return
  const token = recoverToken(secrets, { id, tokenHash: link.tokenHash })
  if (token === undefined) {
    log.warn('a confirmation is not sent: the secret that it was made with is gone')
    return
  }
  try {
    await mail.send(confirmationEmail(publicUrl, { id, email: link.email, token }))
  } catch (error) {
    if (!(error instanceof Undeliverable)) throw error
    log.warn({ err: error }, 'a confirmation could not be delivered')
    return
  }
  const now = clock()
  await markSent(db, { id, now, expiresAt: later(now) })
}

const later = (date: Date) => new Date(date.getTime() + DAY_MS)

const used = () => new AppError('expired', 'This link has been used or has expired')
