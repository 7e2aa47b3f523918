import { type Kysely, sql } from 'kysely'

/**
 * People who delete their accounts: since when, so that they may change their mind for some days. In what is left of them
 * in projects of others they are a former member, also where a row of the activity names their email. And projects that
 * are handed over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column leaving_since timestamptz`.execute(db)
  await sql`create index users_leaving on users (leaving_since) where leaving_since is not null`.execute(db)
  await sql`
    alter table activity drop constraint activity_kind_check, add constraint activity_kind_check check (kind in (
      'project_created', 'project_edited', 'project_published', 'project_unpublished', 'project_deleted',
      'project_restored', 'project_handed_over', 'milestone_created', 'milestone_edited', 'milestone_completed',
      'milestone_reopened', 'milestone_deleted', 'milestone_restored', 'entry_written', 'entry_edited', 'entry_moved',
      'entry_deleted', 'entry_restored', 'member_invited', 'invitation_withdrawn', 'member_joined', 'member_declined',
      'member_left', 'member_removed', 'role_changed'))`.execute(db)
  await sql`
    create or replace function activity_kept() returns trigger language plpgsql as $$
    begin
      if (new.id, new.project_id, new.kind, new.milestone_id, new.entry_id, new.details, new.created_at)
        is distinct from (old.id, old.project_id, old.kind, old.milestone_id, old.entry_id, old.details, old.created_at)
        or (new.subject <> old.subject and old.person_id is null and new.subject <> 'Former member') then
        raise exception 'what happened does not change';
      end if;
      return new;
    end $$`.execute(db)
}
