import { hkdfSync } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { JobQueue } from '#contract/administration.ts'
import type { Schema } from '#server/database/rows.ts'
import { AppError } from '#server/platform/api/errors.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { deliver, type Email, type Mail } from '#server/platform/mail/mail.ts'
import type { Secret, Secrets } from '#server/platform/secrets.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { type LinkTable, markSent, type NewLink } from './store.ts'

export type LinkDeps = {
  db: Kysely<Schema>
  secrets: Secrets
  mail: Mail
  jobs: Jobs
  publicUrl: string
  log: Logger
  clock: () => Date
}

/** A kind of link that the local provider emails. */
type LinkKind<Unsent> = {
  /** The purpose of the link. A token is valid for one purpose only. */
  purpose: 'confirmation of an address' | 'reset of a password' | 'change of an address'
  /** The name of the email in logs. */
  name: string
  queue: JobQueue
  table: LinkTable
  lifetimeSeconds: number
  /** Returns a link that has not been sent; undefined if it was sent or must not be sent any more. */
  findUnsent: (db: Kysely<Schema>, id: string, now: Date) => Promise<Unsent | undefined>
  compose: (link: Unsent & { id: string; token: string }) => Email
}

/** The queue of one kind of link. */
export type EmailedLinks = {
  /** Returns a new link to store. Its lifetime restarts when it is sent. */
  create(now: Date): NewLink
  /** Queues the email in the transaction that stores the link. */
  add(trx: Transaction<Schema>, id: string): Promise<void>
  /** Starts the job immediately. Call it after the commit. */
  wake(): void
}

/** Opens the queue that emails one kind of link. */
export async function openEmailedLinks<Unsent extends { email: string; tokenHash: string }>(
  { db, secrets, mail, jobs, log, clock }: LinkDeps,
  { purpose, name, queue, table, lifetimeSeconds, findUnsent, compose }: LinkKind<Unsent>,
): Promise<EmailedLinks> {
  const endOfLife = (from: Date) => new Date(from.getTime() + lifetimeSeconds * 1000)

  async function send(id: string) {
    const link = await findUnsent(db, id, clock())
    if (!link) return
    const token = recoverToken(secrets, purpose, { id, tokenHash: link.tokenHash })
    if (token === undefined) {
      log.warn(`${name} was not sent: the secret of its token was removed`)
      return
    }
    if (!(await deliver({ mail, log }, name, compose({ ...link, id, token })))) return
    const now = clock()
    await markSent(db, table, { id, now, expiresAt: endOfLife(now) })
  }

  const emails = await jobs.queue<{ id: string }>(queue, ({ id }) => send(id))
  return {
    create(now) {
      const id = uuidv7()
      return {
        id,
        tokenHash: hashOfToken(tokenOf(secrets.current, purpose, id), 'base64url'),
        now,
        expiresAt: endOfLife(now),
      }
    },
    add: (trx, id) => emails.add(trx, { id }),
    wake: () => emails.wake(),
  }
}

/** Returns the error of a link that is unknown, used or too old. */
export const linkExpired = () => new AppError('expired', 'This link has been used or has expired')

/** Derives the 256-bit token of a link from its id, so that it need not be stored and every send attempt uses the same one. */
function tokenOf(secret: Secret, purpose: string, id: string): string {
  const bytes = hkdfSync('sha256', secret.providerKey, id, purpose, 32)
  return Buffer.from(bytes).toString('base64url')
}

/** Returns the token with this hash; undefined if the secret that derived it was removed. */
function recoverToken(
  { current, previous }: Secrets,
  purpose: string,
  { id, tokenHash }: { id: string; tokenHash: string },
): string | undefined {
  return [current, previous]
    .filter((secret) => secret !== null)
    .map((secret) => tokenOf(secret, purpose, id))
    .find((token) => hashOfToken(token, 'base64url') === tokenHash)
}
