import { type Kysely, sql } from 'kysely'

/** Projects of which a person does not want to be reminded on the anniversaries of their entries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table forgotten_anniversaries (
      user_id uuid not null references users on delete cascade,
      project_id uuid not null references projects on delete cascade,
      primary key (user_id, project_id)
    )`.execute(db)
  await sql`create index forgotten_anniversaries_project on forgotten_anniversaries (project_id)`.execute(db)
}
