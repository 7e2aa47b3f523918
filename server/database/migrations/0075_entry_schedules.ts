import { type Kysely, sql } from 'kysely'

/** When drafts publish themselves. Apart from their entries, so that a time changes neither their text nor their history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table entry_schedules (
      entry_id uuid primary key references entries on delete cascade,
      publish_at timestamptz not null,
      zone text not null
    )`.execute(db)
  await sql`create index entry_schedules_due on entry_schedules (publish_at)`.execute(db)
}
