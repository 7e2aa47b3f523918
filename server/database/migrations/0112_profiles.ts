import { type Kysely, sql } from 'kysely'

/**
 * Public pages of people. A name belongs to its account for ever, and of a deleted account it stays taken by its digest, so that old links
 * never lead to somebody else.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table profile_names (
      name text primary key check (char_length(name) between 2 and 40),
      user_id uuid not null references users on delete cascade,
      created_at timestamptz not null,
      unique (user_id, name)
    )`.execute(db)
  await sql`
    create table profiles (
      user_id uuid primary key references users on delete cascade,
      name text,
      about text not null check (char_length(about) <= 200),
      is_on boolean not null check (not is_on or name is not null),
      foreign key (user_id, name) references profile_names (user_id, name)
    )`.execute(db)
  await sql`create table retired_profile_names (digest bytea primary key)`.execute(db)
  await sql`
    create view public_profiles as
    select p.user_id, p.name, p.about, u.name as display_name
    from profiles p join users u on u.id = p.user_id
    where p.is_on and u.leaving_since is null and u.suspended_at is null and u.awaiting_since is null`.execute(
    db,
  )
}
