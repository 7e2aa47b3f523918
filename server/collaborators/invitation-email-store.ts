import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

/** The invitation email to send while the invitation has this token. */
export type EmailOrder = { id: string; tokenHash: string }

/** An invitation whose email has not been sent; undefined if it was sent or its token is invalid. */
export function findUnmailed(db: Kysely<Schema>, { id, tokenHash }: EmailOrder, now: Date) {
  return (
    db
      .selectFrom('collaborators as c')
      .innerJoin('live_projects as p', 'p.id', 'c.project_id')
      .leftJoin('users as inviter', 'inviter.id', 'c.inviter_id')
      .select(['c.invite_token_encrypted as token_encrypted', 'c.email', 'p.title', 'inviter.name'])
      .where('c.id', '=', id)
      .where('c.token_hash', '=', tokenHash)
      .where('c.status', '=', 'pending')
      .where('c.expires_at', '>', now)
      .where('c.mailed_at', 'is', null)
      .where('c.undeliverable_at', 'is', null)
      // Only of a verified email, because anybody can register with the email of somebody else.
      .where(
        sql<boolean>`not exists (
        select from users u where lower(u.email) = lower(c.email) and u.email_verified
          and 'collaboration_invite' = any(u.muted_emails))`,
      )
      .executeTakeFirst()
  )
}

/** The open invitations of a project whose emails were not sent. */
export function listUnmailed(trx: Transaction<Schema>, projectId: string, now: Date) {
  return trx
    .selectFrom('collaborators')
    .select(['id', 'token_hash as tokenHash', 'email', 'inviter_id as inviterId'])
    .where('project_id', '=', projectId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .where('mailed_at', 'is', null)
    .orderBy('created_at')
    .execute()
}

/** Records that the email of an invitation was sent, unless the invitation has another token since. */
export async function markMailed(db: Kysely<Schema>, { id, tokenHash }: EmailOrder, now: Date) {
  await db
    .updateTable('collaborators')
    .set({ mailed_at: now })
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Records that the email of an invitation cannot be delivered, unless the invitation has another token since. Returns its project. */
export async function markUndeliverable(
  db: Kysely<Schema>,
  { id, tokenHash }: EmailOrder,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .updateTable('collaborators')
    .set({ undeliverable_at: now })
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .returning('project_id')
    .executeTakeFirst()
  return row?.project_id
}
