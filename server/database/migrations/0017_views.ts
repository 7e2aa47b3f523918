import { type Kysely, sql } from 'kysely'

/**
 * The one place that says which projects anybody may read (`public_projects`) and which entries exist for readers
 * (`live_entries`). Stores read these views, so that a draft, a trash or another kind of visibility changes them alone.
 * PostgreSQL expands such simple views into the statement: plans and indexes are those of the tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view public_projects as
    select id, owner_id, title, description, revision, milestone_count, completed_milestone_count, changed_at,
      created_at, updated_at
    from projects where is_public`.execute(db)
  await sql`
    create view live_entries as
    select id, milestone_id, title, content, tags, image_id, image_width, image_height, title_key, version,
      created_at, updated_at
    from entries`.execute(db)
}
