import type { Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import { collaborators } from './store.ts'

export type InvitationRecord = NonNullable<Awaited<ReturnType<typeof findByHash>>>

/** The invitation whose token has this hash, with its project; undefined where there is none, or none any more. */
export function findByHash(db: Db, tokenHash: string) {
  return collaborators(db)
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select(['p.title as project_title', 'p.description as project_description', 'p.owner_id'])
    .where('c.token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/** Makes the invited person a member. The hash of the token stays. */
export async function acceptRow(
  trx: Transaction<Schema>,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('collaborators')
    .set({
      status: 'accepted',
      user_id: userId,
      joined_at: now,
      invite_token_encrypted: null,
      expires_at: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends an invitation with a no; `userId` is null where whoever declined was not signed in. */
export async function declineRow(
  trx: Transaction<Schema>,
  { id, userId, now }: { id: string; userId: string | null; now: Date },
): Promise<void> {
  await trx
    .updateTable('collaborators')
    .set({
      status: 'declined',
      user_id: userId,
      invite_token_encrypted: null,
      token_hash: null,
      expires_at: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Lets go of what a person declined in a project under another address: they answer once in it. */
export async function forgetDeclined(
  trx: Transaction<Schema>,
  projectId: string,
  userId: string,
): Promise<void> {
  await trx
    .updateTable('collaborators')
    .set({ user_id: null })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('status', '=', 'declined')
    .execute()
}
