import { type Kysely, sql } from 'kysely'

/** Two-step sign-in with its recovery codes, the sign-ins that wait for their second step, and the devices of accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.two_factor (
      user_id uuid primary key references identity."user" on delete cascade,
      secret_encrypted text not null,
      begun_at timestamptz not null,
      enabled_at timestamptz,
      last_step integer not null default 0,
      recovery_salt bytea
    )`.execute(db)
  await sql`
    create table identity.recovery_codes (
      user_id uuid not null references identity.two_factor on delete cascade,
      hash bytea not null,
      primary key (user_id, hash)
    )`.execute(db)
  await sql`
    create table identity.second_steps (
      token_hash text primary key,
      user_id uuid not null references identity."user" on delete cascade,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index second_steps_user on identity.second_steps (user_id)`.execute(db)
  await sql`create index second_steps_expiry on identity.second_steps (expires_at)`.execute(db)
  await sql`
    create table identity.devices (
      user_id uuid not null references identity."user" on delete cascade,
      hash text not null,
      seen_at timestamptz not null,
      primary key (user_id, hash)
    )`.execute(db)
  await sql`create index devices_seen on identity.devices (seen_at)`.execute(db)
  await sql`alter table identity.session add column device text`.execute(db)
  await sql`
    alter table audit_log
      drop constraint audit_log_kind_check,
      add constraint audit_log_kind_check check (kind in (
        'administrator_made', 'administrator_unmade', 'account_approved', 'account_refused', 'account_suspended',
        'account_unsuspended', 'reset_link_made', 'email_changed', 'two_factor_turned_off', 'quota_changed',
        'person_invited', 'invitation_withdrawn', 'registration_changed', 'announcement_changed', 'terms_changed',
        'test_email_sent'))`.execute(db)
}
