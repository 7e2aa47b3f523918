import { type Kysely, sql } from 'kysely'

/**
 * The emailed links by which people choose a new password. A row names the email that was typed, whether it has an account
 * or not, so that asking for a link is the same work in both cases.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.password_resets (
      id uuid primary key,
      email text not null,
      token_hash text not null unique,
      created_at timestamptz not null,
      sent_at timestamptz,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index password_resets_email on identity.password_resets (email)`.execute(db)
  await sql`create index password_resets_expiry on identity.password_resets (expires_at)`.execute(db)
}
