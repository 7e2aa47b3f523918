import { type Kysely, sql } from 'kysely'

/**
 * When a project, or anything under it, last changed: deletions leave no other trace, and a feed's date has to tell of
 * them. It is empty for projects that have not changed since.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column changed_at timestamptz`.execute(db)
  await sql`
    create or replace function project_changed() returns trigger language plpgsql as $$
    begin
      new.revision := old.revision + 1;
      new.changed_at := now();
      return new;
    end $$`.execute(db)
}
