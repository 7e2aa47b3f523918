import { type Kysely, sql } from 'kysely'

/** A change of several entries at once can be undone for a day: what each entry had before is stored as long. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bulk_changes (
      id uuid primary key,
      project_id uuid not null references projects on delete cascade,
      made_by uuid not null references users on delete cascade,
      kind text not null check (kind in ('tag_renamed', 'entries_moved', 'entries_deleted')),
      details jsonb not null,
      made_at timestamptz not null,
      undone_entries integer
    )`.execute(db)
  await sql`
    create table bulk_change_entries (
      bulk_change_id uuid not null references bulk_changes on delete cascade,
      entry_id uuid not null references entries on delete cascade,
      former_tags text[],
      former_milestone_id uuid,
      deletion uuid,
      primary key (bulk_change_id, entry_id)
    )`.execute(db)
  await sql`create index bulk_changes_project_id on bulk_changes (project_id)`.execute(db)
  await sql`create index bulk_changes_made_by on bulk_changes (made_by)`.execute(db)
  await sql`create index bulk_changes_made_at on bulk_changes (made_at)`.execute(db)
  await sql`create index bulk_change_entries_entry_id on bulk_change_entries (entry_id)`.execute(db)
}
