import { type Kysely, sql } from 'kysely'

/** Tokens by which programs act for people. A stream that was opened with one ends with it, as with a session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table access_tokens (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null,
      token_hash bytea not null unique,
      scopes text[] not null check (
        cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'publish', 'manage']),
      project_ids uuid[],
      created_at timestamptz not null,
      expires_at timestamptz,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index access_tokens_user on access_tokens (user_id, created_at desc, id desc)`.execute(db)
  await sql`
    create trigger access_tokens_deleted after delete on access_tokens for each row
    execute function tell_ended_session()`.execute(db)
}
