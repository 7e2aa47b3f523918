import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

/** When the open invitations of a project end, the first first. */
export async function listExpiries(trx: Transaction<Schema>, projectId: string, now: Date): Promise<Date[]> {
  const rows = await trx
    .selectFrom('collaborators')
    .select('expires_at')
    .where('project_id', '=', projectId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .orderBy('expires_at')
    .execute()
  return rows.flatMap(({ expires_at }) => expires_at ?? [])
}

/** When a person's invitations were made, the first first; those before are forgotten. */
export async function listMadeSince(
  trx: Transaction<Schema>,
  inviterId: string,
  since: Date,
): Promise<Date[]> {
  await trx
    .deleteFrom('invitations_made')
    .where('inviter_id', '=', inviterId)
    .where('made_at', '<=', since)
    .execute()
  const rows = await trx
    .selectFrom('invitations_made')
    .select('made_at')
    .where('inviter_id', '=', inviterId)
    .orderBy('made_at')
    .execute()
  return rows.map(({ made_at }) => made_at)
}

export async function countInvitation(
  trx: Transaction<Schema>,
  { id, inviterId, now }: { id: string; inviterId: string; now: Date },
): Promise<void> {
  await trx.insertInto('invitations_made').values({ id, inviter_id: inviterId, made_at: now }).execute()
}
