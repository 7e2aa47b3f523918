import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import type { AddressProof } from './address.ts'

/** Somebody with an address, whom invitations to it may be for. */
export type Invitee = { userId: string; email: string; proof: AddressProof }

/**
 * Whether the collaborator `c` of a query is an invitation for this person without its link: whoever has proven the
 * address, or whom this very invitation was given to where addresses cannot be proven.
 */
export function isForInvitee({ userId, email, proof }: Invitee) {
  const isAddressed = sql<boolean>`lower(c.email) = lower(${email})`
  if (proof === 'proven') return isAddressed
  if (proof === 'unproven') return sql<boolean>`false`
  // A value and not `exists`, which the planner would answer for all rows at once instead of for the few of a page.
  return sql<boolean>`${isAddressed} and (
    select n.token_hash = coalesce(c.token_hash, n.token_hash) from invitation_notices n
    where n.collaborator_id = c.id and n.user_id = ${userId})`
}

/** Those of these invitations that somebody may answer, with their tokens. */
export function listAnswerable(db: Db, ids: string[], invitee: Invitee, now: Date) {
  return db
    .selectFrom('collaborators as c')
    .select(['c.id', 'c.invite_token_encrypted'])
    .where(sql<boolean>`c.id = any(${ids}::uuid[])`)
    .where('c.user_id', 'is', null)
    .where('c.status', '=', 'pending')
    .where('c.expires_at', '>', now)
    .where(isForInvitee(invitee))
    .execute()
}

/** Notes that somebody is told of an invitation; false if they have been told of this very one before. */
export async function insertNotice(
  trx: Transaction<Schema>,
  notice: { collaboratorId: string; userId: string; tokenHash: string },
): Promise<boolean> {
  const { tokenHash } = notice
  const row = await trx
    .insertInto('invitation_notices')
    .values({ collaborator_id: notice.collaboratorId, user_id: notice.userId, token_hash: tokenHash })
    .onConflict((conflict) =>
      conflict
        .columns(['collaborator_id', 'user_id'])
        .doUpdateSet({ token_hash: tokenHash })
        .where('invitation_notices.token_hash', '<>', tokenHash),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Who has been told of an invitation. */
export async function listNoticed(db: Db, collaboratorId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('invitation_notices')
    .select('user_id')
    .where('collaborator_id', '=', collaboratorId)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/**
 * The invitations of an address that can be answered, but for those to projects of one's own; locked so that none
 * ends unseen by whoever ends it.
 */
export function listOpenAt(
  trx: Transaction<Schema>,
  email: string,
  { userId, now }: { userId: string; now: Date },
) {
  return trx
    .selectFrom('collaborators as c')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .leftJoin('users as inviter', 'inviter.id', 'c.inviter_id')
    .select(['c.id', 'c.token_hash', 'c.project_id', 'p.title', 'inviter.name'])
    .where(sql`lower(c.email)`, '=', sql`lower(${email})`)
    .where('c.user_id', 'is', null)
    .where('c.status', '=', 'pending')
    .where('c.expires_at', '>', now)
    .where('p.owner_id', '<>', userId)
    .orderBy('c.created_at')
    .forKeyShare('c')
    .execute()
}
