import { type Kysely, sql } from 'kysely'

/**
 * Addresses that are told what happens in a project, and what is to be sent to them. A trigger promises the deliveries in the
 * transaction of what happened. Invitations are left out: they name emails.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      url text not null,
      secret_encrypted bytea not null,
      failing_since timestamptz,
      disabled_at timestamptz,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index webhooks_project on webhooks (project_id, created_at, id)`.execute(db)
  await sql`
    create table webhook_deliveries (
      id uuid primary key default gen_random_uuid(),
      webhook_id uuid not null references webhooks on delete cascade,
      activity_id uuid not null references activity on delete cascade,
      attempts integer not null default 0,
      next_at timestamptz,
      tried_at timestamptz,
      delivered_at timestamptz,
      outcome text,
      created_at timestamptz not null
    )`.execute(db)
  await sql`
    create index webhook_deliveries_log on webhook_deliveries (webhook_id, created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index webhook_deliveries_activity on webhook_deliveries (activity_id)`.execute(db)
  await sql`
    create index webhook_deliveries_due on webhook_deliveries (next_at) where next_at is not null`.execute(db)
  await sql`
    create index webhook_deliveries_waiting on webhook_deliveries (webhook_id) where next_at is not null`.execute(
    db,
  )
  await sql`
    create index webhook_deliveries_settled on webhook_deliveries (created_at) where next_at is null`.execute(
    db,
  )
  await sql`
    create function promise_deliveries() returns trigger language plpgsql as $$
    begin
      insert into webhook_deliveries (webhook_id, activity_id, next_at, created_at)
      select w.id, new.id, new.created_at, new.created_at from webhooks w
      where w.project_id = new.project_id and w.disabled_at is null
        and (select count(*) from webhook_deliveries d where d.webhook_id = w.id and d.next_at is not null) < 1000;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger promise_deliveries after insert on activity for each row
    when (new.kind not in ('member_invited', 'invitation_withdrawn', 'member_declined'))
    execute function promise_deliveries()`.execute(db)
}
