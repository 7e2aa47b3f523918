import { type Kysely, sql } from 'kysely'

/**
 * Invitations that are answered, mailed and counted: tokens are looked up by their hash, which outlives the token
 * once it is used; and the lists of what somebody is or was invited to, by status.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table collaborators
    add column token_hash text unique,
    add column joined_at timestamptz,
    add column mailed_at timestamptz`.execute(db)
  await sql`
    update collaborators set
      token_hash = encode(sha256(convert_to(invite_token, 'UTF8')), 'hex'),
      joined_at = case when status = 'accepted' then updated_at end
    where invite_token is not null or status = 'accepted'`.execute(db)
  await sql`alter table collaborators drop constraint collaborators_invite_token_key`.execute(db)

  await sql`
    create index collaborators_user_status
    on collaborators (user_id, status, created_at desc, id desc)`.execute(db)
  await sql`drop index collaborators_invited`.execute(db)
  await sql`
    create index collaborators_invited on collaborators (lower(email), created_at desc, id desc)
    where user_id is null`.execute(db)
  await sql`
    create index collaborators_invited_status on collaborators (lower(email), status, created_at desc, id desc)
    where user_id is null`.execute(db)

  // Who has been told of an invitation, and of which: it has another hash each time that it is renewed.
  await sql`
    create table invitation_notices (
      collaborator_id uuid not null references collaborators on delete cascade,
      user_id uuid not null references users on delete cascade,
      token_hash text not null,
      primary key (collaborator_id, user_id)
    )`.execute(db)
  await sql`create index invitation_notices_user on invitation_notices (user_id)`.execute(db)

  // Kept apart from the invitations, so that withdrawing one does not make room for another.
  await sql`
    create table invitations_made (
      id uuid primary key,
      inviter_id uuid not null references users on delete cascade,
      made_at timestamptz not null
    )`.execute(db)
  await sql`create index invitations_made_inviter on invitations_made (inviter_id, made_at)`.execute(db)
}
