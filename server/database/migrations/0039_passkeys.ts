import { type Kysely, sql } from 'kysely'

/** The public keys of passkeys. A credential belongs to one account, and signs for the host that it was made for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.passkeys (
      id uuid primary key,
      user_id uuid not null references identity."user" on delete cascade,
      name text not null,
      credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
      public_key bytea not null,
      counter bigint not null check (counter >= 0),
      transports text[] not null,
      rp_id text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index passkeys_user on identity.passkeys (user_id)`.execute(db)
}
