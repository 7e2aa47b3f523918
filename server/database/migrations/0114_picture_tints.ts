import { type Kysely, sql } from 'kysely'

/** The tint of contour lines that is closest to a picture. Null: uploaded before this, or no picture. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table files add column tint smallint check (tint between 0 and 4)`.execute(db)
}
