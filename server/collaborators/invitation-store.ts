import { sql, type Transaction } from 'kysely'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { InvitationProof } from './invitation-proof.ts'
import { collaborators, type Invitee, isForInvitee, wasShownTo } from './store.ts'

export function findByEmail(db: Db, projectId: string, email: string) {
  return collaborators(db)
    .where('c.project_id', '=', projectId)
    .where(sql`lower(c.email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

/** Returns the changes that the row of a collaborator remembers. */
export async function findChanges(db: Db, id: string): Promise<string[] | undefined> {
  const row = await db.selectFrom('collaborators').select('changes').where('id', '=', id).executeTakeFirst()
  return row?.changes
}

/** The pending invitations of a project, locked because they are about to be deleted. */
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
  /** What the row remembers from now on. */
  changes: string[]
  now: Date
  expiresAt: Date
}

/** Saves an invitation; `renewed` is whether the row already was an invitation to the same email. */
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
    undeliverable_at: null,
    changes: invitation.changes,
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

/** The invitations among these that the invitee may answer, with their tokens. */
export function listAnswerable(db: Db, ids: string[], invitee: Invitee, now: Date) {
  return db
    .selectFrom('collaborators as c')
    .innerJoin('live_projects as p', 'p.id', 'c.project_id')
    .select(['c.id', 'c.invite_token_encrypted'])
    .where(sql<boolean>`c.id = any(${ids}::uuid[])`)
    .where('c.user_id', 'is', null)
    .where('c.status', '=', 'pending')
    .where('c.expires_at', '>', now)
    .where((q) => q.or([isForInvitee(invitee), wasShownTo(invitee.userId)]))
    .execute()
}

/** The pending invitations of a project that a person may answer without their links. */
export function listPendingFor(trx: Transaction<Schema>, projectId: string, invitee: Invitee) {
  return trx
    .selectFrom('collaborators as c')
    .select(['c.id', 'c.project_id'])
    .where('c.project_id', '=', projectId)
    .where('c.user_id', 'is', null)
    .where('c.status', '=', 'pending')
    .where((q) => q.or([isForInvitee(invitee), wasShownTo(invitee.userId)]))
    .execute()
}

/** Records that a person was notified of an invitation; returns false if that is already recorded. */
export async function recordNotified(
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

/** The users who were notified of the open invitations of a project. */
export async function listNotifiedOf(db: Db, projectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('invitation_notices as n')
    .innerJoin('collaborators as c', 'c.id', 'n.collaborator_id')
    .select('n.user_id')
    .distinct()
    .where('c.project_id', '=', projectId)
    .where('c.status', '=', 'pending')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/**
 * The open invitations to an email, except those to the person's own projects; locked so that none is revoked
 * concurrently.
 */
export function listOpenAt(
  trx: Transaction<Schema>,
  email: string,
  { userId, now }: { userId: string; now: Date },
) {
  return trx
    .selectFrom('collaborators as c')
    .innerJoin('live_projects as p', 'p.id', 'c.project_id')
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

/** Whether there is an open invitation to an email with this token or, if `withoutToken`, with any token. */
export async function hasOpenInvitation(
  db: Db,
  { email, tokenHash, withoutToken }: InvitationProof,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from collaborators c join live_projects p on p.id = c.project_id
    where lower(c.email) = lower(${email}) and c.user_id is null and c.status = 'pending' and c.expires_at > ${now}
      and (c.token_hash = ${tokenHash}::text or ${withoutToken}::boolean)
    limit 1`.execute(db)
  return rows.length > 0
}

/** When the open invitations of a project expire, soonest first. */
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

/** The creation times of a person's invitations since a date, oldest first; older records are deleted. */
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

/**
 * Serializes transactions that invite an email with those that assign it to an account, so that the later one sees
 * the changes of the earlier one. Both take this lock last.
 */
export async function lockEmail(trx: Transaction<Schema>, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('invited ' || lower(${email}), 0))`.execute(trx)
}

/**
 * Deletes the invitations to an email of an account. One that was not proven may be another person's: then only those that
 * the account was notified of.
 */
export async function forgetInvitations(
  trx: Transaction<Schema>,
  { userId, email, isProven }: { userId: string; email: string; isProven: boolean },
): Promise<void> {
  await sql`
    delete from collaborators c where lower(email) = lower(${email}) and user_id is null and (${isProven} or exists (
      select from invitation_notices n where n.collaborator_id = c.id and n.user_id = ${userId}))`.execute(
    trx,
  )
}
