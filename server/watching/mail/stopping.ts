import { id } from '#contract/parts/wire.ts'
import type { Db } from '#server/database/rows.ts'
import type { Links } from '#server/files/links.ts'
import { type EmailKind, stopEmails } from './store.ts'

const signedText = (userId: string, kind: EmailKind) => `unsubscribe ${kind} ${userId}`

/** Returns the path at which a person stops the emails of one kind, without signing in. */
export const pathOfStopping = (links: Pick<Links, 'sign'>, userId: string, kind: EmailKind): string =>
  `/unsubscribe/${kind}/${userId}/${links.sign(signedText(userId, kind))}`

/** What the link that stops the emails of one kind to a person does. */
export type NewsStopping = {
  isValid: (kind: EmailKind, userId: string, proof: string) => Promise<boolean>
  /** Stops the emails. Returns whether the link is valid. */
  stop: (kind: EmailKind, userId: string, proof: string) => Promise<boolean>
}

export function createNewsStopping({ db, links }: { db: Db; links: Pick<Links, 'isSigned'> }): NewsStopping {
  const isValid = (kind: EmailKind, userId: string, proof: string) =>
    id.safeParse(userId).success && links.isSigned(signedText(userId, kind), proof)
  return {
    isValid: async (kind, userId, proof) => isValid(kind, userId, proof),
    stop: async (kind, userId, proof) => isValid(kind, userId, proof) && stopEmails(db, userId, kind),
  }
}
