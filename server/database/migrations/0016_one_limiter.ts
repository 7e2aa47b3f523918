import { type Kysely, sql } from 'kysely'

/**
 * Moves the failed sign-ins, and the networks from which people signed in, to `call_limits`, and drops the table of
 * better-auth's own rate limits. As lock-outs must survive a crash of the database, `call_limits` is logged now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table call_limits set logged`.execute(db)
  await sql`
    insert into call_limits (key, calls, ends_at)
    select key, failures, since + interval '15 minutes' from identity.attempts
    where failures > 0 and since + interval '15 minutes' > now()
    on conflict do nothing`.execute(db)
  // As keyOf('known', key) of the limits makes it: SHA-256 of both, joined by a zero byte, in base64url.
  await sql`
    insert into call_limits (key, calls, ends_at)
    select
      rtrim(translate(encode(sha256('known'::bytea || '\\x00'::bytea || convert_to(key, 'UTF8')), 'base64'), '+/', '-_'), '='),
      1, known_until
    from identity.attempts where known_until > now()
    on conflict do nothing`.execute(db)
  await sql`drop table identity.attempts`.execute(db)
  await sql`drop table identity."rateLimit"`.execute(db)
}
