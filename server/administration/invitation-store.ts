import { type Kysely, sql, type Transaction } from 'kysely'
import type { InvitationProof } from '#server/collaborators/invitation-proof.ts'
import type { Db, Schema } from '#server/database/rows.ts'

export type ServerInvitationRecord = {
  id: string
  email: string
  token_encrypted: Buffer
  created_at: Date
  expires_at: Date
  undeliverable_at?: Date | null
}

const columns = ['id', 'email', 'token_encrypted', 'created_at', 'expires_at', 'undeliverable_at'] as const

/** Returns the id of the invitation to an email, whether or not it is still valid. */
export async function findInvitationId(trx: Transaction<Schema>, email: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('server_invitations')
    .select('id')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .forUpdate()
    .executeTakeFirst()
  return row?.id
}

/** Returns the invitation to an email with what it remembers. */
export function findInvitation(db: Db, email: string) {
  return db
    .selectFrom('server_invitations')
    .select(columns)
    .select('changes')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

type NewInvitation = ServerInvitationRecord & { token_hash: string; inviter_id: string; changes: string[] }

/** Inserts an invitation, or replaces the one with this id. */
export async function saveServerInvitation(trx: Transaction<Schema>, row: NewInvitation): Promise<void> {
  const { id: _id, ...values } = row
  await trx
    .insertInto('server_invitations')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ ...values, mailed_at: null, undeliverable_at: null }),
    )
    .execute()
}

/** Returns the valid invitations, newest first. */
export function listOpenInvitations(db: Db, now: Date, limit: number): Promise<ServerInvitationRecord[]> {
  return db
    .selectFrom('server_invitations')
    .select(columns)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function countOpenInvitations(trx: Transaction<Schema>, now: Date): Promise<number> {
  const { total } = await trx
    .selectFrom('server_invitations')
    .select((q) => q.fn.countAll<number>().as('total'))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return total
}

/** Returns whether there is an invitation to an email with this token or, with `withoutToken`, with any token. */
export async function hasServerInvitation(
  db: Db,
  { email, tokenHash, withoutToken }: InvitationProof,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from server_invitations
    where lower(email) = lower(${email}) and expires_at > ${now}
      and (token_hash = ${tokenHash}::text or ${withoutToken}::boolean)`.execute(db)
  return rows.length > 0
}

/** Deletes the invitation to an email, after it was used or its account was deleted. */
export async function deleteInvitationTo(trx: Transaction<Schema>, email: string): Promise<void> {
  await sql`delete from server_invitations where lower(email) = lower(${email})`.execute(trx)
}

/** Deletes an invitation; returns its email, or undefined if there is none. */
export async function deleteInvitation(trx: Transaction<Schema>, id: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('server_invitations')
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirst()
  return row?.email
}

/** Returns an invitation with this token that has not been emailed. */
export function findUnmailedInvitation(
  db: Kysely<Schema>,
  { id, tokenHash }: { id: string; tokenHash: string },
  now: Date,
): Promise<ServerInvitationRecord | undefined> {
  return db
    .selectFrom('server_invitations')
    .select(columns)
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .where('mailed_at', 'is', null)
    .where('undeliverable_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

const marking =
  (column: 'mailed_at' | 'undeliverable_at') =>
  async (
    db: Kysely<Schema>,
    { id, tokenHash }: { id: string; tokenHash: string },
    now: Date,
  ): Promise<void> => {
    await db
      .updateTable('server_invitations')
      .set({ [column]: now })
      .where('id', '=', id)
      .where('token_hash', '=', tokenHash)
      .execute()
  }

export const markInvitationMailed = marking('mailed_at')
export const markInvitationUndeliverable = marking('undeliverable_at')

/** Deletes at most `atMost` expired invitations; returns their number. */
export async function deleteExpiredInvitations(
  trx: Transaction<Schema>,
  now: Date,
  atMost: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from server_invitations where id in (
      select id from server_invitations where expires_at < ${now} limit ${atMost} for update skip locked)`.execute(
    trx,
  )
  return Number(numAffectedRows)
}
