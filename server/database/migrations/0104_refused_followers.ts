import { type Kysely, sql } from 'kysely'

/** How many of the latest emails to a follower the mail server refused for good, one after the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table followers add column refusals smallint not null default 0`.execute(db)
}
