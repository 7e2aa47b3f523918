import { type Kysely, sql } from 'kysely'

/** Links with which people without an account read a private project, or a part of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table share_links (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      entry_id uuid references entries on delete cascade,
      from_entry_id uuid references entries on delete cascade,
      from_day date,
      name text not null check (char_length(name) between 1 and 100),
      token_hash bytea not null unique,
      password_hash text,
      expires_at timestamptz,
      last_used_on date,
      created_by uuid,
      changes uuid[] not null default '{}',
      created_at timestamptz not null,
      check (num_nonnulls(entry_id, from_entry_id, from_day) <= 1)
    )`.execute(db)
  for (const column of ['project_id', 'entry_id', 'from_entry_id'])
    await sql`create index ${sql.id(`share_links_${column}`)} on share_links (${sql.ref(column)})`.execute(db)
  await sql`
    create trigger removed after delete on share_links referencing old table as old_rows
    for each statement execute function note_removed()`.execute(db)
  await sql`
    alter table activity drop constraint activity_kind_check, add constraint activity_kind_check check (kind in (
      'project_created', 'project_edited', 'project_published', 'project_unpublished', 'project_deleted',
      'project_restored', 'project_handed_over', 'milestone_created', 'milestone_edited', 'milestone_completed',
      'milestone_reopened', 'milestone_moved', 'milestone_deleted', 'milestone_restored', 'entry_written',
      'entry_edited', 'entry_moved', 'entry_deleted', 'entry_restored', 'member_invited', 'invitation_withdrawn',
      'member_joined', 'member_declined', 'member_left', 'member_removed', 'role_changed', 'link_created',
      'link_changed', 'link_renewed', 'link_revoked')) not valid`.execute(db)
  await sql`alter table activity validate constraint activity_kind_check`.execute(db)
  await taken(db)
}

/** As in 0053, with the links. */
async function taken(db: Kysely<unknown>) {
  await sql`
    create or replace function taken_by(wanted uuid) returns text language sql stable as $$
      select case
        when exists (select from removed_ids where id = wanted) then 'removed'
        when exists (select from entries where id = wanted) then 'entry'
        when exists (select from milestones where id = wanted) then 'milestone'
        when exists (select from projects where id = wanted) then 'project'
        when exists (select from files where id = wanted) then 'file'
        when exists (select from collaborators where id = wanted) then 'collaborator'
        when exists (select from webhooks where id = wanted) then 'webhook'
        when exists (select from access_tokens where id = wanted) then 'access token'
        when exists (select from server_invitations where id = wanted) then 'server invitation'
        when exists (select from share_links where id = wanted) then 'share link'
      end
    $$`.execute(db)
}
