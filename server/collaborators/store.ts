import { sql, type Transaction } from 'kysely'
import type { CollaboratorRole } from '#contract/permissions.ts'
import { pictureOf } from '#server/database/people.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { withChange } from '#server/platform/changes/changes.ts'

const columns = [
  'c.id',
  'c.project_id',
  'c.role',
  'c.status',
  'c.invite_token_encrypted',
  'c.expires_at',
  'c.inviter_id',
  'c.user_id',
  'c.joined_at',
  'c.created_at',
  'c.undeliverable_at',
  'inviter.name as inviter_name',
  'invitee.name as invitee_name',
] as const

/** A membership follows the account, whose address may have changed since it was invited. */
const shownEmail = sql<string>`case when c.status = 'accepted' then coalesce(invitee.email, c.email) else c.email end`

export type CollaboratorRecord = Awaited<ReturnType<typeof listCollaboratorsOf>>[number]

/** Collaborators with the names of the inviters and of the people who answered. */
export function collaborators(db: Db) {
  return db
    .selectFrom('collaborators as c')
    .leftJoin('users as inviter', 'inviter.id', 'c.inviter_id')
    .leftJoin('users as invitee', 'invitee.id', 'c.user_id')
    .select(columns)
    .select(shownEmail.as('email'))
    .select(pictureOf('c.user_id').as('invitee_picture'))
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

/** A collaborator of this project; undefined if it belongs to another project. */
export function findCollaborator(db: Db, projectId: string, id: string) {
  return collaborators(db).where('c.project_id', '=', projectId).where('c.id', '=', id).executeTakeFirst()
}

export function findMember(db: Db, projectId: string, userId: string) {
  return collaborators(db)
    .where('c.project_id', '=', projectId)
    .where('c.user_id', '=', userId)
    .where('c.status', '=', 'accepted')
    .executeTakeFirst()
}

export type InvitationRecord = NonNullable<Awaited<ReturnType<typeof findByHash>>>

/** The invitation whose token has this hash, with its project; undefined if there is none. */
export function findByHash(db: Db, tokenHash: string) {
  return collaborators(db)
    .innerJoin('live_projects as p', 'p.id', 'c.project_id')
    .select(['p.title as project_title', 'p.description as project_description', 'p.owner_id'])
    .where('c.token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/** Like `findByHash`, but locks the project as for a change, so that the result stays valid until the transaction ends. */
export async function lockByHash(trx: Transaction<Schema>, tokenHash: string) {
  await trx
    .selectFrom('collaborators as c')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select('p.id')
    .where('c.token_hash', '=', tokenHash)
    .forNoKeyUpdate('p')
    .execute()
  return findByHash(trx, tokenHash)
}

/** Makes the invited person a member. The hash of the token remains. */
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

/** Whether a person has declined an invitation with this change, whose token is invalid since. */
export async function hasDeclined(db: Db, userId: string, change: string): Promise<boolean> {
  const row = await db
    .selectFrom('collaborators')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'declined')
    .where(sql<boolean>`${change}::uuid = any (changes)`)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks an invitation as declined; `userId` is null if the person who declined was not signed in. */
export async function declineRow(
  trx: Transaction<Schema>,
  { id, userId, change, now }: { id: string; userId: string | null; change: string | null; now: Date },
): Promise<void> {
  await trx
    .updateTable('collaborators')
    .set({
      status: 'declined',
      changes: withChange(change),
      user_id: userId,
      invite_token_encrypted: null,
      token_hash: null,
      expires_at: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Unlinks an invitation that a person declined in a project under another email: a person has one response per project. */
export async function unlinkDeclined(
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

/** The users who were notified of an invitation. */
export async function listNotified(db: Db, collaboratorId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('invitation_notices')
    .select('user_id')
    .where('collaborator_id', '=', collaboratorId)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Locks a collaborator that is about to be deleted. */
export async function lockCollaborator(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx.selectFrom('collaborators').select('id').where('id', '=', id).forUpdate().execute()
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

/**
 * Whether the email of an account is proven to belong to the account's owner:
 * - `proven`: it was verified by mail or by a trusted issuer. The owner gets invitations to it.
 * - `unprovable`: this server sends no mail, so nobody can verify an email. The owner gets the invitations that
 *   were created while the account had the email; any other requires its link, which is then the proof.
 * - `unproven`: the owner could verify the email and has not. They get no invitation, not even with its link.
 */
export type EmailProof = 'proven' | 'unprovable' | 'unproven'

/** A person with an email to which invitations may be open. */
export type Invitee = { userId: string; email: string; proof: EmailProof }

/**
 * Whether the collaborator `c` of a query is an invitation that this person may answer without its link: their email is
 * proven, or, if emails cannot be proven, they were notified of this invitation.
 */
export function isForInvitee({ userId, email, proof }: Invitee) {
  const isAddressed = sql<boolean>`lower(c.email) = lower(${email})`
  if (proof === 'proven') return isAddressed
  if (proof === 'unproven') return sql<boolean>`false`
  // A scalar subquery instead of `exists`, which the planner would evaluate for all rows instead of those of a page.
  return sql<boolean>`${isAddressed} and (
    select n.token_hash = coalesce(c.token_hash, n.token_hash) from invitation_notices n
    where n.collaborator_id = c.id and n.user_id = ${userId})`
}

/**
 * Whether the collaborator `c` of a query is an invitation that this person was shown with its present token: it stays theirs
 * after they change the address of their account.
 */
export const wasShownTo = (userId: string) => sql<boolean>`exists (
  select from invitation_notices n
  where n.collaborator_id = c.id and n.user_id = ${userId} and n.token_hash = c.token_hash)`

/** Whether a person was shown an invitation with its present token. */
export async function isShown(db: Db, collaboratorId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('collaborators as c')
    .select('c.id')
    .where('c.id', '=', collaboratorId)
    .where(wasShownTo(userId))
    .executeTakeFirst()
  return row !== undefined
}

/** Whether one of these people is a member of the project, whatever address they were invited at. */
export async function hasMemberAmong(db: Db, projectId: string, userIds: string[]): Promise<boolean> {
  const row = await db
    .selectFrom('collaborators')
    .select('id')
    .where('project_id', '=', projectId)
    .where('status', '=', 'accepted')
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .executeTakeFirst()
  return row !== undefined
}

export type PersonRecord = { id: string; name: string; email: string; email_verified: boolean }

const personColumns = ['users.id', 'users.name', 'users.email', 'users.email_verified'] as const

export function findPerson(db: Db, userId: string): Promise<PersonRecord | undefined> {
  return db.selectFrom('users').select(personColumns).where('users.id', '=', userId).executeTakeFirst()
}

/** Locks a person, so that their concurrent invitations are counted one after the other. */
export function lockPerson(trx: Transaction<Schema>, userId: string): Promise<PersonRecord | undefined> {
  return trx
    .selectFrom('users')
    .select(personColumns)
    .where('users.id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The title and the owner of a project, for notifications and emails. */
export function findProject(db: Db, projectId: string) {
  return db
    .selectFrom('live_projects as p')
    .innerJoin('users as owner', 'owner.id', 'p.owner_id')
    .select(['p.id', 'p.title', 'p.owner_id', 'owner.email as owner_email'])
    .where('p.id', '=', projectId)
    .executeTakeFirst()
}

/** All accounts with this email, ignoring the case of letters. */
export function findPeopleAt(db: Db, email: string): Promise<PersonRecord[]> {
  return db
    .selectFrom('users')
    .select(personColumns)
    .where(sql`lower(users.email)`, '=', sql`lower(${email})`)
    .execute()
}
