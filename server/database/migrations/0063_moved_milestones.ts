import { type Kysely, sql } from 'kysely'

/** Milestones are moved within a project and to others, with what a search finds of their entries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table activity drop constraint activity_kind_check, add constraint activity_kind_check check (kind in (
      'project_created', 'project_edited', 'project_published', 'project_unpublished', 'project_deleted',
      'project_restored', 'project_handed_over', 'milestone_created', 'milestone_edited', 'milestone_completed',
      'milestone_reopened', 'milestone_moved', 'milestone_deleted', 'milestone_restored', 'entry_written',
      'entry_edited', 'entry_moved', 'entry_deleted', 'entry_restored', 'member_invited', 'invitation_withdrawn',
      'member_joined', 'member_declined', 'member_left', 'member_removed', 'role_changed')) not valid`.execute(
    db,
  )
  await sql`alter table activity validate constraint activity_kind_check`.execute(db)
  await sql`
    create function milestones_moved() returns trigger language plpgsql as $$
    begin
      update search_documents set project_id = new.project_id
        where project_id = old.project_id and milestone_id = new.id;
      update deletions set project_id = new.project_id where milestone_id = new.id;
      update restorations set project_id = new.project_id where milestone_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger moved after update of project_id on milestones for each row
    when (new.project_id <> old.project_id) execute function milestones_moved()`.execute(db)
}
