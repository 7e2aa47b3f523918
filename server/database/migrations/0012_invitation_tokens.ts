import { type Kysely, sql } from 'kysely'
import type { MigrationDeps } from '#server/database/migration-deps.ts'

const AT_ONCE = 1_000

/**
 * Tokens of invitations are stored encrypted instead of in plain text, notifications refer to the invitation, and an
 * invitation is given only to accounts that had its address when it was made (docs/decisions/0035). Redeemed sign-ins
 * of an issuer are remembered, so that none is redeemed twice.
 */
export async function up(db: Kysely<unknown>, { encryptInviteToken }: MigrationDeps): Promise<void> {
  await sql`alter table collaborators add column invite_token_encrypted bytea`.execute(db)
  if (encryptInviteToken) await encryptTokens(db, encryptInviteToken)
  await referToInvitations(db)
  // A dropped column stays in the rows as they lie on the disk, so it is emptied first.
  await sql`update collaborators set invite_token = null where invite_token is not null`.execute(db)
  await sql`alter table collaborators drop column invite_token`.execute(db)
  await sql`
    delete from invitation_notices n using collaborators c, users u
    where c.id = n.collaborator_id and u.id = n.user_id
      and not u.email_verified and u.created_at > c.created_at`.execute(db)
  await sql`
    create table identity.redeemed_round_trips (
      state_hash text primary key,
      forget_at timestamptz not null
    )`.execute(db)
  await sql`create index redeemed_round_trips_forget on identity.redeemed_round_trips (forget_at)`.execute(db)
}

async function encryptTokens(
  db: Kysely<unknown>,
  encrypt: NonNullable<MigrationDeps['encryptInviteToken']>,
): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: string; invite_token: string }>`
      select id, invite_token from collaborators
      where invite_token is not null and status = 'pending' limit ${AT_ONCE}`.execute(db)
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    const encrypted = rows.map(({ id, invite_token }) => encrypt(invite_token, id))
    await sql`
      update collaborators c set invite_token = null, invite_token_encrypted = made.encrypted
      from unnest(${ids}::uuid[], ${encrypted}::bytea[]) as made (id, encrypted)
      where c.id = made.id`.execute(db)
  }
}

async function referToInvitations(db: Kysely<unknown>): Promise<void> {
  await sql`
    update notifications n set data = (n.data - 'inviteToken') || coalesce(
      (select jsonb_build_object('collaboratorId', c.id) from collaborators c
       where c.token_hash = encode(sha256(convert_to(n.data ->> 'inviteToken', 'UTF8')), 'hex')
         and c.status = 'pending'),
      '{}')
    where n.data ->> 'inviteToken' is not null`.execute(db)
  await sql`drop index notifications_invitation`.execute(db)
  await sql`
    create index notifications_invitation on notifications ((data ->> 'collaboratorId'))
    where data ->> 'collaboratorId' is not null`.execute(db)
}
