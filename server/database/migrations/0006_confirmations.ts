import { type Kysely, sql } from 'kysely'

/**
 * The letters by which people confirm that an address of the local provider is theirs, and the indexes by which
 * rows that have expired are found.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.confirmations (
      id uuid primary key,
      user_id uuid not null references identity."user" on delete cascade,
      email text not null,
      token_hash text not null unique,
      created_at timestamptz not null,
      sent_at timestamptz,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index confirmations_user on identity.confirmations (user_id)`.execute(db)
  await sql`create index confirmations_expiry on identity.confirmations (expires_at)`.execute(db)
  await sql`create index session_expiry on identity.session ("expiresAt")`.execute(db)
  await sql`create index sessions_age on sessions (created_at)`.execute(db)
}
