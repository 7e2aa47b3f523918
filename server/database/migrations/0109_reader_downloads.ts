import { type Kysely, sql } from 'kysely'

/** Whether readers may take a public project as a book and as a website, if its people offer that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reader_settings add downloads boolean not null default false`.execute(db)
}
