import { type Kysely, sql } from 'kysely'

/** What members hear of a project, and when they looked at it; and notifications that count up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table project_watches (
      user_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      level text not null default 'all' check (level in ('all', 'mentions', 'none')),
      seen_at timestamptz,
      new_since timestamptz,
      primary key (user_id, project_id)
    )`.execute(db)
  await sql`create index project_watches_project on project_watches (project_id)`.execute(db)
  await sql`
    create table entry_mentions (
      entry_id uuid not null references entries on delete cascade,
      user_id uuid not null references users on delete cascade,
      primary key (entry_id, user_id)
    )`.execute(db)
  await sql`create index entry_mentions_user on entry_mentions (user_id)`.execute(db)
  await sql`
    create table milestone_reminders (
      milestone_id uuid primary key references milestones on delete cascade,
      due_on date not null
    )`.execute(db)
  await sql`
    alter table notifications
      add column kind text check (kind in ('entry', 'mention', 'milestone_reached', 'milestone_due')),
      add column subject_id uuid,
      add column count integer not null default 1,
      add column opened_at timestamptz`.execute(db)
  await sql`
    create index notifications_counting on notifications (subject_id, kind)
    where kind is not null and not is_read`.execute(db)
}
