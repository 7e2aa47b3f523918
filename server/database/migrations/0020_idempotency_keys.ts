import { type Kysely, sql } from 'kysely'

/**
 * What creating calls have made under a key of their callers, and what they were told: the answer, encrypted because it may
 * hold the token of an invitation. It is null only within its transaction.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      user_id uuid not null references users on delete cascade,
      call text not null,
      key text not null,
      request_hash bytea not null,
      answer bytea,
      created_at timestamptz not null,
      primary key (user_id, call, key)
    )`.execute(db)
  await sql`create index idempotency_keys_created on idempotency_keys (created_at)`.execute(db)
}
