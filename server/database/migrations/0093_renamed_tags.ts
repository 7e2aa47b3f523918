import { type Kysely, sql } from 'kysely'

/** Renaming a tag is recorded, and a search finds everybody who wrote in a project, also those who have left it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table activity drop constraint activity_kind_check, add constraint activity_kind_check check (kind in (
      'project_created', 'project_edited', 'project_published', 'project_unpublished', 'project_deleted',
      'project_restored', 'project_handed_over', 'milestone_created', 'milestone_edited', 'milestone_completed',
      'milestone_reopened', 'milestone_moved', 'milestone_deleted', 'milestone_restored', 'entry_written',
      'entry_edited', 'entry_moved', 'entry_deleted', 'entry_restored', 'tag_renamed', 'member_invited',
      'invitation_withdrawn', 'member_joined', 'member_declined', 'member_left', 'member_removed', 'role_changed',
      'link_created', 'link_changed', 'link_renewed', 'link_revoked')) not valid`.execute(db)
  await sql`alter table activity validate constraint activity_kind_check`.execute(db)
  await sql`
    create index search_documents_writers on search_documents (project_id, author_id)
    where not is_draft and author_id is not null`.execute(db)
}
