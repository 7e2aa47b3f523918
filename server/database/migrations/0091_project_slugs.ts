import { type Kysely, sql } from 'kysely'

/** Readable addresses of public projects. A slug belongs to its project for ever, so that no other one can take it over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table project_slugs (
      slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) between 3 and 60),
      project_id uuid not null references projects on delete cascade,
      is_current boolean not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index project_slugs_project_id on project_slugs (project_id)`.execute(db)
  await sql`
    create unique index project_slugs_current on project_slugs (project_id) where is_current`.execute(db)
}
