import { type Kysely, sql } from 'kysely'

/** Which kinds of notifications a person does not want, in Milepost and by email. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column muted_notifications text[] not null default '{}',
      add column muted_emails text[] not null default '{}'`.execute(db)
}
