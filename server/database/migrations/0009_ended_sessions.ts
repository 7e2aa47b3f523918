import { type Kysely, sql } from 'kysely'

/**
 * Tells every process of a sign-in that ends before its time, in the form of `server/platform/events`. A trigger,
 * because sessions end in many ways (by the cascade from the provider's, too) and none may be forgotten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_ended_session() returns trigger language plpgsql as $$
    begin
      perform pg_notify('milepost', json_build_object('session', old.id)::text);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger sessions_revoked after update of revoked_at on sessions for each row
    when (old.revoked_at is null and new.revoked_at is not null)
    execute function tell_ended_session()`.execute(db)
  // The tokens of one so old have expired, and with them their streams: it is only swept away.
  await sql`
    create trigger sessions_deleted after delete on sessions for each row
    when (old.revoked_at is null and old.created_at > now() - interval '2 hours')
    execute function tell_ended_session()`.execute(db)
}
