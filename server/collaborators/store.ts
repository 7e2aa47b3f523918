import { sql, type Transaction } from 'kysely'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { Db, Schema } from '#server/database/rows.ts'

export const columns = [
  'c.id',
  'c.project_id',
  'c.email',
  'c.role',
  'c.status',
  'c.invite_token_encrypted',
  'c.expires_at',
  'c.inviter_id',
  'c.user_id',
  'c.joined_at',
  'c.created_at',
  'inviter.name as inviter_name',
  'invitee.name as invitee_name',
] as const

export type CollaboratorRecord = Awaited<ReturnType<typeof listCollaboratorsOf>>[number]

/** A collaborator together with the project. */
export type CollaborationRecord = CollaboratorRecord & {
  project_title: string
  project_description: string
  project_is_public: boolean
}

/** Collaborators with the names of those who invited and of those who answered. */
export function collaborators(db: Db) {
  return db
    .selectFrom('collaborators as c')
    .leftJoin('users as inviter', 'inviter.id', 'c.inviter_id')
    .leftJoin('users as invitee', 'invitee.id', 'c.user_id')
    .select(columns)
}

/** The collaborators of a project, in the order of their invitation. */
export function listCollaboratorsOf(db: Db, projectId: string) {
  return collaborators(db)
    .where('c.project_id', '=', projectId)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute()
}

/** The members of a project, in the order of their invitation. */
export function listMembersOf(db: Db, projectId: string) {
  return collaborators(db)
    .where('c.project_id', '=', projectId)
    .where('c.status', '=', 'accepted')
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute()
}

/** A collaborator of this project; undefined if it belongs to another. */
export function findCollaborator(db: Db, projectId: string, id: string) {
  return collaborators(db).where('c.project_id', '=', projectId).where('c.id', '=', id).executeTakeFirst()
}

export function findByEmail(db: Db, projectId: string, email: string) {
  return collaborators(db)
    .where('c.project_id', '=', projectId)
    .where(sql`lower(c.email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

export function findMember(db: Db, projectId: string, userId: string) {
  return collaborators(db)
    .where('c.project_id', '=', projectId)
    .where('c.user_id', '=', userId)
    .where('c.status', '=', 'accepted')
    .executeTakeFirst()
}

/** Keeps whoever comes upon a collaborator waiting, where it is about to go. */
export async function lockCollaborator(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx.selectFrom('collaborators').select('id').where('id', '=', id).forUpdate().execute()
}

/** The invitations of a project that wait for an answer, locked as they are about to go. */
export function lockInvitationsOf(trx: Transaction<Schema>, projectId: string) {
  return trx
    .selectFrom('collaborators')
    .select(['id', 'project_id'])
    .where('project_id', '=', projectId)
    .where('status', '=', 'pending')
    .orderBy('id')
    .forUpdate()
    .execute()
}

export type Invitation = {
  projectId: string
  email: string
  role: CollaboratorRole
  inviterId: string
  encryptedToken: Buffer
  tokenHash: string
  now: Date
  expiresAt: Date
}

/** Makes an invitation; `renewed` says that this row was one to the same address before. */
export async function saveInvitation(
  trx: Transaction<Schema>,
  { id, renewed }: { id: string; renewed: boolean },
  invitation: Invitation,
): Promise<void> {
  const values = {
    email: invitation.email,
    role: invitation.role,
    status: 'pending' as const,
    invite_token_encrypted: invitation.encryptedToken,
    token_hash: invitation.tokenHash,
    expires_at: invitation.expiresAt,
    inviter_id: invitation.inviterId,
    user_id: null,
    joined_at: null,
    mailed_at: null,
    created_at: invitation.now,
    updated_at: invitation.now,
  }
  if (renewed) await trx.updateTable('collaborators').set(values).where('id', '=', id).execute()
  else
    await trx
      .insertInto('collaborators')
      .values({ id, project_id: invitation.projectId, ...values })
      .execute()
}

export async function setRole(
  trx: Transaction<Schema>,
  id: string,
  role: CollaboratorRole,
  now: Date,
): Promise<void> {
  await trx.updateTable('collaborators').set({ role, updated_at: now }).where('id', '=', id).execute()
}

export async function deleteCollaborator(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx.deleteFrom('collaborators').where('id', '=', id).execute()
}

/** The projects of an owner, locked as for a change. */
export function lockProjectsOf(trx: Transaction<Schema>, ownerId: string) {
  return trx
    .selectFrom('projects')
    .select(['id', 'title'])
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Removes all collaborators of a project, also those who declined. */
export async function deleteCollaboratorsOf(trx: Transaction<Schema>, projectId: string): Promise<void> {
  await trx.deleteFrom('collaborators').where('project_id', '=', projectId).execute()
}
