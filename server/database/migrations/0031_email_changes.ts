import { type Kysely, sql } from 'kysely'

/**
 * Changes of the email of an account that wait for one or two addresses to confirm, each by a link of its own; and the
 * emails that accounts had before, to be announced to and, when the account is deleted, forgotten.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.email_change_links (
      id uuid primary key,
      user_id uuid not null references identity."user" on delete cascade,
      side text not null check (side in ('current', 'new')),
      email text not null,
      new_email text not null,
      token_hash text not null unique,
      created_at timestamptz not null,
      sent_at timestamptz,
      confirmed_at timestamptz,
      expires_at timestamptz not null,
      unique (user_id, side)
    )`.execute(db)
  await sql`create index email_change_links_expiry on identity.email_change_links (expires_at)`.execute(db)
  await sql`
    create table former_emails (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      email text not null,
      changed_at timestamptz not null
    )`.execute(db)
  await sql`create index former_emails_user on former_emails (user_id)`.execute(db)
  await sql`
    alter table audit_log
      drop constraint audit_log_kind_check,
      add constraint audit_log_kind_check check (kind in (
        'administrator_made', 'administrator_unmade', 'account_approved', 'account_refused', 'account_suspended',
        'account_unsuspended', 'reset_link_made', 'email_changed', 'person_invited', 'invitation_withdrawn',
        'registration_changed', 'announcement_changed', 'terms_changed', 'test_email_sent'))`.execute(db)
}
