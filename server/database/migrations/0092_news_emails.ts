import { type Kysely, sql } from 'kysely'

/** News by email: when a person wants it, which notifications wait for an email, and the emails that took them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column news_hour smallint default 7 check (news_hour between 0 and 23),
      add column mails_mentions boolean not null default false`.execute(db)
  await sql`
    create table news_emails (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      kind text not null check (kind in ('daily', 'mention')),
      created_at timestamptz not null,
      sent_at timestamptz
    )`.execute(db)
  await sql`create index news_emails_user on news_emails (user_id, created_at)`.execute(db)
  await sql`create index news_emails_age on news_emails (created_at)`.execute(db)
  await sql`
    alter table notifications
      add column mail text check (mail in ('daily', 'mention')),
      add column email_id uuid references news_emails on delete set null`.execute(db)
  await sql`
    create index notifications_to_mail on notifications (user_id) where mail is not null and not is_read`.execute(
    db,
  )
  await sql`create index notifications_email on notifications (email_id) where email_id is not null`.execute(
    db,
  )
  // Browsers know time zones that a database may not.
  await sql`
    create function usable_zone(zone text) returns text language plpgsql stable as $$
      begin
        perform now() at time zone zone;
        return coalesce(zone, 'UTC');
      exception when invalid_parameter_value then
        return 'UTC';
      end
    $$`.execute(db)
}
