import { type Kysely, sql } from 'kysely'

/**
 * What happened in a project, by whom. Rows are added in the transaction of the change and stay as they are: only the
 * people in them change, when an account is deleted. A milestone or an entry of a row may be gone, so no table is
 * referred to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table activity (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      kind text not null check (kind in (
        'project_created', 'project_edited', 'project_published', 'project_unpublished', 'project_deleted',
        'project_restored', 'milestone_created', 'milestone_edited', 'milestone_completed', 'milestone_reopened',
        'milestone_deleted', 'milestone_restored', 'entry_written', 'entry_edited', 'entry_moved', 'entry_deleted',
        'entry_restored', 'member_invited', 'invitation_withdrawn', 'member_joined', 'member_declined', 'member_left',
        'member_removed', 'role_changed')),
      actor_id uuid references users on delete set null,
      actor_name text not null check (char_length(actor_name) <= 100),
      person_id uuid references users on delete set null,
      milestone_id uuid,
      entry_id uuid,
      subject text not null check (char_length(subject) <= 500),
      details jsonb not null check (jsonb_typeof(details) = 'object'),
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index activity_by_time on activity (project_id, created_at desc, id desc)`.execute(db)
  // For the row that an edit is part of.
  await sql`
    create index activity_of_entry on activity (entry_id, created_at)
    where kind in ('entry_written', 'entry_edited')`.execute(db)
  await sql`create index activity_actor on activity (actor_id) where actor_id is not null`.execute(db)
  await sql`create index activity_person on activity (person_id) where person_id is not null`.execute(db)
  await keepRows(db)
}

async function keepRows(db: Kysely<unknown>) {
  await sql`
    create function activity_kept() returns trigger language plpgsql as $$
    begin
      if (new.id, new.project_id, new.kind, new.milestone_id, new.entry_id, new.details, new.created_at)
        is distinct from (old.id, old.project_id, old.kind, old.milestone_id, old.entry_id, old.details, old.created_at)
        or (new.subject <> old.subject and old.person_id is null) then
        raise exception 'what happened does not change';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger kept before update on activity
    for each row execute function activity_kept()`.execute(db)

  // The last name of an account stays where it acted, and where it was acted upon.
  await sql`
    create function activity_person_deleted() returns trigger language plpgsql as $$
    begin
      update activity set actor_id = null, actor_name = old.name where actor_id = old.id;
      update activity set person_id = null, subject = old.name where person_id = old.id;
      return old;
    end $$`.execute(db)
  await sql`
    create trigger activity_person_deleted before delete on users
    for each row execute function activity_person_deleted()`.execute(db)
}
