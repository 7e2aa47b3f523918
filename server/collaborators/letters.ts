import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import type { Jobs, Queue } from '#server/platform/jobs.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { Undeliverable } from '#server/platform/mail/undeliverable.ts'
import { invitationLetter } from './letter.ts'
import { findUnmailed, markMailed } from './letter-store.ts'
import type { TokenCipher } from './token-cipher.ts'

/** The letter that is to be sent: of an invitation while it has this token. */
export type LetterOrder = { id: string; tokenHash: string }

export type InvitationLetters = Queue<LetterOrder>

type Means = {
  db: Kysely<Schema>
  mail: Mail
  jobs: Jobs
  publicUrl: string
  tokenCipher: TokenCipher
  log: Logger
  clock: () => Date
}

/** Mails invitations, each once, and not those that were withdrawn, answered or made anew before it came to that. */
export function openInvitationLetters(means: Means): Promise<InvitationLetters> {
  return means.jobs.queue<LetterOrder>('invitation-letters', (order) => send(means, order))
}

async function send(
  { db, mail, publicUrl, tokenCipher, log, clock }: Means,
  order: LetterOrder,
): Promise<void> {
  const invitation = await findUnmailed(db, order, clock())
  if (!invitation) return
  const { email, title, name } = invitation
  const token = tokenCipher.decrypt(invitation.invite_token_encrypted, order.id)
  if (token === null) {
    log.warn('an invitation was not mailed: its token was encrypted under another token secret')
    return
  }
  try {
    await mail.send(invitationLetter(publicUrl, { ...order, token, email, title, name }))
  } catch (error) {
    if (!(error instanceof Undeliverable)) throw error
    log.warn({ err: error }, 'an invitation could not be delivered')
    return
  }
  await markMailed(db, order, clock())
}
