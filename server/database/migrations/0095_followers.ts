import { type Kysely, sql } from 'kysely'

/** Readers without an account who hear of a project: what is news to them, their emails, and what a project offers them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Changes of one project wait for each other and raise its revision, so a snapshot with one revision has all news of earlier ones.
  await sql`
    create table reader_news (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      revision bigint not null,
      entry_id uuid unique references entries on delete cascade,
      milestone_id uuid unique references milestones on delete cascade,
      created_at timestamptz not null default now(),
      check (num_nonnulls(entry_id, milestone_id) = 1)
    )`.execute(db)
  await sql`create index reader_news_project on reader_news (project_id, revision)`.execute(db)
  await sql`create index reader_news_age on reader_news (created_at)`.execute(db)
  await sql`
    create table followers (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      email text not null check (char_length(email) between 3 and 254),
      created_at timestamptz not null default now(),
      confirmed_at timestamptz,
      told_through bigint not null default 0,
      emailed_at timestamptz
    )`.execute(db)
  await sql`create unique index followers_email on followers (project_id, lower(email))`.execute(db)
  await sql`create index followers_of_email on followers (lower(email))`.execute(db)
  await sql`create index followers_pending on followers (created_at) where confirmed_at is null`.execute(db)
  await sql`
    create table follower_emails (
      id uuid primary key,
      follower_id uuid not null references followers on delete cascade,
      after bigint not null,
      through bigint not null,
      created_at timestamptz not null default now(),
      sent_at timestamptz
    )`.execute(db)
  await sql`create index follower_emails_follower on follower_emails (follower_id, sent_at)`.execute(db)
  await sql`create index follower_emails_age on follower_emails (created_at)`.execute(db)
  await offered(db)
}

/** What a project offers its readers is on its public pages, so a change raises its revision. */
async function offered(db: Kysely<unknown>) {
  await sql`
    create table reader_settings (
      project_id uuid primary key references projects on delete cascade,
      emails boolean not null
    )`.execute(db)
  await sql`
    create function reader_settings_changed() returns trigger language plpgsql as $$
      begin
        update projects set revision = revision + 1 where id = new.project_id;
        return null;
      end
    $$`.execute(db)
  await sql`
    create trigger changed after insert or update on reader_settings
    for each row execute function reader_settings_changed()`.execute(db)
}
