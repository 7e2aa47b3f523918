import { type Kysely, sql } from 'kysely'

/** What one account may store, where an administrator has chosen it; null: what the setting says for all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column quota_bytes bigint check (quota_bytes > 0)`.execute(db)
  await sql`
    alter table audit_log
      drop constraint audit_log_kind_check,
      add constraint audit_log_kind_check check (kind in (
        'administrator_made', 'administrator_unmade', 'account_approved', 'account_refused', 'account_suspended',
        'account_unsuspended', 'reset_link_made', 'email_changed', 'quota_changed', 'person_invited',
        'invitation_withdrawn', 'registration_changed', 'announcement_changed', 'terms_changed',
        'test_email_sent'))`.execute(db)
}
