import { type Kysely, sql } from 'kysely'

/** People, projects, milestones, entries, collaborators and notifications. The checks repeat the limits of `contract/`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      issuer text not null,
      subject text not null,
      name text not null check (char_length(name) <= 100),
      email text not null check (char_length(email) <= 254),
      email_verified boolean not null,
      photo_url text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (issuer, subject)
    )`.execute(db)
  await sql`create index users_email on users (lower(email))`.execute(db)

  await sql`
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index sessions_user on sessions (user_id)`.execute(db)

  await sql`
    create table projects (
      id uuid primary key,
      owner_id uuid not null references users on delete cascade,
      title text not null check (char_length(title) between 1 and 200),
      description text not null check (char_length(description) between 1 and 5000),
      is_public boolean not null,
      version integer not null default 1,
      revision bigint not null default 1,
      milestone_count integer not null default 0,
      completed_milestone_count integer not null default 0,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index projects_owner on projects (owner_id, created_at desc, id desc)`.execute(db)

  await sql`
    create table milestones (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      title text not null check (char_length(title) between 1 and 200),
      description text not null check (char_length(description) between 1 and 5000),
      completed boolean not null,
      version integer not null default 1,
      entry_count integer not null default 0,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index milestones_project on milestones (project_id, created_at, id)`.execute(db)

  await sql`
    create table entries (
      id uuid primary key,
      milestone_id uuid not null references milestones on delete cascade,
      title text not null check (char_length(title) between 1 and 200),
      content text not null check (char_length(content) between 1 and 200000),
      tags text[] not null check (cardinality(tags) <= 50),
      version integer not null default 1,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index entries_milestone on entries (milestone_id, created_at desc, id desc)`.execute(db)

  await sql`
    create table collaborators (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      email text not null check (char_length(email) <= 254),
      role text not null check (role in ('viewer', 'editor', 'admin')),
      status text not null check (status in ('pending', 'accepted', 'declined')),
      invite_token text unique,
      expires_at timestamptz,
      inviter_id uuid references users on delete set null,
      user_id uuid references users on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      check (status <> 'accepted' or user_id is not null)
    )`.execute(db)
  await sql`create unique index collaborators_email on collaborators (project_id, lower(email))`.execute(db)
  await sql`create unique index collaborators_member on collaborators (project_id, user_id)`.execute(db)
  await sql`create index collaborators_user on collaborators (user_id, created_at desc, id desc)`.execute(db)
  await sql`create index collaborators_invited on collaborators (lower(email), created_at desc, id desc)`.execute(
    db,
  )
  await sql`create index collaborators_inviter on collaborators (inviter_id)`.execute(db)

  await sql`
    create table notifications (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      type text not null check (type in ('collaboration_invite', 'collaboration_accepted',
        'collaboration_declined', 'collaboration_removed', 'role_updated', 'other')),
      title text not null,
      message text not null,
      data jsonb not null,
      is_read boolean not null default false,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index notifications_user on notifications (user_id, created_at desc, id desc)`.execute(db)
  await sql`create index notifications_unread on notifications (user_id) where not is_read`.execute(db)
}
