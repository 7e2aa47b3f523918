import { sql, type Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Schema } from '#server/database/rows.ts'

/** Locks a user against the deletion of their account; returns false if that has begun, or the account is suspended. */
export async function lockStayingUser(trx: Transaction<Schema>, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('users')
    .select(['leaving_since', 'suspended_at'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return row?.leaving_since === null && row.suspended_at === null
}

/** Changes the owner of a project; the previous owner becomes an admin. */
export async function setOwner(
  trx: Transaction<Schema>,
  { id: projectId, owner_id, owner_email: email }: { id: string; owner_id: string; owner_email: string },
  { newOwner, now }: { newOwner: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('projects')
    .set({ owner_id: newOwner, updated_at: now })
    .where('id', '=', projectId)
    .execute()
  // Earlier invitations to the current email of the owner.
  await trx
    .deleteFrom('collaborators')
    .where('project_id', '=', projectId)
    .where(sql<boolean>`(user_id = ${owner_id} or lower(email) = lower(${email}))`)
    .execute()
  await trx
    .insertInto('collaborators')
    .values({
      id: uuidv7(),
      project_id: projectId,
      email,
      role: 'admin',
      status: 'accepted',
      expires_at: null,
      inviter_id: newOwner,
      user_id: owner_id,
      joined_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** The projects of an owner, deleted ones too, which may be restored; locked as for a change. */
export function lockProjectsOf(trx: Transaction<Schema>, ownerId: string) {
  return trx
    .selectFrom('projects')
    .select(['id', 'title'])
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Locks a project as for a change; returns false without waiting if something else changes it. */
export async function lockProjectIfFree(trx: Transaction<Schema>, projectId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row !== undefined
}

/** Removes all collaborators of a project, also those who declined. */
export async function deleteCollaboratorsOf(trx: Transaction<Schema>, projectId: string): Promise<void> {
  await trx.deleteFrom('collaborators').where('project_id', '=', projectId).execute()
}
