import { type Kysely, sql } from 'kysely'

/** In which time zone a person sees times, and how dates are written for them; null: as their browser does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column time_zone text check (char_length(time_zone) between 1 and 64),
      add column date_format text check (date_format in ('iso', 'day-first'))`.execute(db)
}
