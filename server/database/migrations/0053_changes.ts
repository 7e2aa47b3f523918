import { type Kysely, sql } from 'kysely'

const REMEMBERING = [
  'projects',
  'milestones',
  'entries',
  'collaborators',
  'files',
  'webhooks',
  'access_tokens',
  'server_invitations',
]

/** The rows whose ids clients make. An id that one of them has had is never used again. */
const NAMED_BY_CLIENTS = [...REMEMBERING]

/**
 * A row remembers the id of the change that created it and of its latest changes, so that a change that is sent again is
 * recognized. `removed_ids` has the ids of permanently deleted rows, so that none of them is created again by a late request.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of REMEMBERING)
    await sql`alter table ${sql.table(table)} add column changes uuid[] not null default '{}'`.execute(db)
  // No foreign key: what an account created outlives it, and nobody else may claim to have created it.
  for (const table of ['projects', 'milestones', 'webhooks'])
    await sql`alter table ${sql.table(table)} add column created_by uuid`.execute(db)
  // Apart from the views of what is shown: only a change reads what a row remembers.
  for (const [view, table] of [
    ['project_changes', 'projects'],
    ['milestone_changes', 'milestones'],
    ['entry_changes', 'entries'],
  ] as const)
    await sql`create view ${sql.table(view)} as select id, changes from ${sql.table(table)}`.execute(db)
  await removals(db)
  await restorations(db)
  await taken(db)
}

async function removals(db: Kysely<unknown>) {
  await sql`create table removed_ids (id uuid primary key, removed_at timestamptz not null default now())`.execute(
    db,
  )
  await sql`create index removed_ids_age on removed_ids (removed_at)`.execute(db)
  await sql`
    create function note_removed() returns trigger language plpgsql as $$
    begin
      insert into removed_ids (id) select id from old_rows on conflict do nothing;
      return null;
    end $$`.execute(db)
  for (const table of NAMED_BY_CLIENTS)
    await sql`
      create trigger removed after delete on ${sql.table(table)} referencing old table as old_rows
      for each statement execute function note_removed()`.execute(db)
}

/** What was restored, in a table of its own: a server of the previous release would still purge a row of `deletions`. */
async function restorations(db: Kysely<unknown>) {
  await sql`
    create table restorations (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      milestone_id uuid references milestones on delete cascade,
      entry_id uuid references entries on delete cascade,
      restored_by uuid references users on delete cascade,
      restored_at timestamptz not null
    )`.execute(db)
  for (const column of ['project_id', 'milestone_id', 'entry_id', 'restored_by'])
    await sql`create index ${sql.id(`restorations_${column}`)} on restorations (${sql.ref(column)})`.execute(
      db,
    )
  await sql`create index restorations_age on restorations (restored_at)`.execute(db)
}

/** What has an id that a client made. An autosaved draft and the entry that it becomes may share one. */
async function taken(db: Kysely<unknown>) {
  await sql`
    create function taken_by(wanted uuid) returns text language sql stable as $$
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
      end
    $$`.execute(db)
  await sql`drop function lock_access(uuid, uuid, uuid, text[], uuid[])`.execute(db)
  await sql`
    create function lock_access(
      person uuid, project uuid, milestone uuid, roles text[], granted uuid[], wanted uuid)
    returns table (
      "projectId" uuid, role text, "isPublic" boolean, bytes bigint, "timeZone" text, "isLocked" boolean, taken text)
    language plpgsql as $$
    declare
      locked boolean;
    begin
      perform from live_projects p
      left join collaborators c on c.project_id = p.id and c.user_id = person and c.status = 'accepted'
      where p.id = coalesce(project, (select m.project_id from live_milestones m where m.id = milestone))
        and (granted is null or p.id = any (granted))
        and case when p.owner_id = person then 'owner' else c.role end = any (roles)
      for no key update of p;
      locked := found;
      return query
      select p.id, case when p.owner_id = person then 'owner' else c.role end, p.is_public,
        p.text_bytes + p.file_bytes, (select u.time_zone from users u where u.id = person), locked,
        case when wanted is not null and locked then taken_by(wanted) end
      from live_projects p
      left join collaborators c on c.project_id = p.id and c.user_id = person and c.status = 'accepted'
      where p.id = coalesce(project, (select m.project_id from live_milestones m where m.id = milestone));
    end $$`.execute(db)
}
