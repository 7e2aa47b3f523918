import { type Kysely, sql } from 'kysely'

/**
 * Administrators, accounts that wait for approval or are suspended, who may register, invitations to this server, and the
 * log of what administrators did. An account that is the only one becomes the administrator; of several, none does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column is_admin boolean not null default false,
      add column awaiting_since timestamptz,
      add column suspended_at timestamptz,
      add column last_seen_at timestamptz`.execute(db)
  await sql`
    update users set last_seen_at = updated_at, is_admin = (select count(*) = 1 from users)`.execute(db)
  await sql`create index users_administrators on users (id) where is_admin`.execute(db)
  await sql`create index users_awaiting on users (id) where awaiting_since is not null`.execute(db)
  await sql`create index users_suspended on users (id) where suspended_at is not null`.execute(db)

  await sql`
    create table registration_settings (
      only_row boolean primary key default true check (only_row),
      mode text not null check (mode in ('open', 'approval', 'invitation', 'closed')),
      domains text[] not null
    )`.execute(db)

  await sql`
    create table server_invitations (
      id uuid primary key,
      email text not null,
      token_encrypted bytea not null,
      token_hash text not null unique,
      inviter_id uuid references users on delete set null,
      mailed_at timestamptz,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create unique index server_invitations_email on server_invitations (lower(email))`.execute(db)
  await sql`create index server_invitations_inviter on server_invitations (inviter_id)`.execute(db)
  await sql`create index server_invitations_expiry on server_invitations (expires_at)`.execute(db)

  await createAuditLog(db)
}

/** It names people by their ids alone, so that it has nothing to forget of a deleted account but an email. */
async function createAuditLog(db: Kysely<unknown>) {
  await sql`
    create table audit_log (
      id uuid primary key,
      kind text not null check (kind in (
        'administrator_made', 'administrator_unmade', 'account_approved', 'account_refused', 'account_suspended',
        'account_unsuspended', 'reset_link_made', 'person_invited', 'invitation_withdrawn', 'registration_changed')),
      actor_id uuid,
      person_id uuid,
      email text,
      details jsonb not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index audit_log_time on audit_log (created_at, id)`.execute(db)
  await sql`
    create function audit_log_kept() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.created_at > now() - interval '179 days' then
          raise exception 'the audit log is kept for 180 days';
        end if;
        return old;
      end if;
      if new.email is not null or (new.id, new.kind, new.actor_id, new.person_id, new.details, new.created_at)
        is distinct from (old.id, old.kind, old.actor_id, old.person_id, old.details, old.created_at) then
        raise exception 'the audit log does not change';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger audit_log_kept before update or delete on audit_log for each row
    execute function audit_log_kept()`.execute(db)
}
