import type { Kysely } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { LetterOrder } from './letters.ts'

/** An invitation whose letter is still to be sent; undefined once it was, or once its token is dead. */
export function findUnmailed(db: Kysely<Schema>, { id, tokenHash }: LetterOrder, now: Date) {
  return db
    .selectFrom('collaborators as c')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .leftJoin('users as inviter', 'inviter.id', 'c.inviter_id')
    .select(['c.invite_token_encrypted', 'c.email', 'p.title', 'inviter.name'])
    .where('c.id', '=', id)
    .where('c.token_hash', '=', tokenHash)
    .where('c.status', '=', 'pending')
    .where('c.expires_at', '>', now)
    .where('c.mailed_at', 'is', null)
    .executeTakeFirst()
}

export async function markMailed(db: Kysely<Schema>, { id, tokenHash }: LetterOrder, now: Date) {
  await db
    .updateTable('collaborators')
    .set({ mailed_at: now })
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .execute()
}
