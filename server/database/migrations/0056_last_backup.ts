import { type Kysely, sql } from 'kysely'

/** When the last backup was made, for administrators. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table last_backup (
      only_row boolean primary key default true check (only_row),
      made_at timestamptz not null
    )`.execute(db)
}
