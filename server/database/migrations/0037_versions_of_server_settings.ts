import { type Kysely, sql } from 'kysely'

/** Versions of what administrators have written, so that none overwrites what another one has saved meanwhile. 1 is of what nobody has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registration_settings add column version integer not null default 2`.execute(db)
  await sql`
    alter table instance_texts
      add column announcement_version integer not null default 1,
      add column terms_version integer not null default 1`.execute(db)
}
