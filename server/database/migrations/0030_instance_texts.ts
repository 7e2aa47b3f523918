import { type Kysely, sql } from 'kysely'

/** What administrators tell people: an announcement above the pages, and the terms. Both changes, and a test email, are audited. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table instance_texts (
      only_row boolean primary key default true check (only_row),
      announcement text,
      announcement_id uuid,
      terms text,
      terms_changed_at timestamptz,
      check ((announcement is null) = (announcement_id is null)),
      check ((terms is null) = (terms_changed_at is null))
    )`.execute(db)
  await sql`
    alter table audit_log
      drop constraint audit_log_kind_check,
      add constraint audit_log_kind_check check (kind in (
        'administrator_made', 'administrator_unmade', 'account_approved', 'account_refused', 'account_suspended',
        'account_unsuspended', 'reset_link_made', 'person_invited', 'invitation_withdrawn', 'registration_changed',
        'announcement_changed', 'terms_changed', 'test_email_sent'))`.execute(db)
}
