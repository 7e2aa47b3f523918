import { type Kysely, sql } from 'kysely'

/** Share links that belong to one person each, who may be emailed the news of what their link shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table share_links add column is_person boolean not null default false`.execute(db)
  await sql`alter table followers add column link_id uuid unique references share_links on delete cascade`.execute(
    db,
  )
  await sql`drop index followers_email`.execute(db)
  await sql`
    create unique index followers_email on followers (project_id, lower(email)) where link_id is null`.execute(
    db,
  )
}
