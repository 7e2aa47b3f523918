import { type Kysely, sql } from 'kysely'

/**
 * Counts of calls that are limited for all servers together. Unlogged: nothing of it is worth writing twice, and
 * after a crash of the database everybody begins anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table call_limits (
      key text primary key,
      calls integer not null,
      ends_at timestamptz not null
    )`.execute(db)
  await sql`create index call_limits_ended on call_limits (ends_at)`.execute(db)
}
