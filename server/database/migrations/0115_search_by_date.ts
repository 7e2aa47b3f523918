import { type Kysely, sql } from 'kysely'

/**
 * A search reads the newest things of a person first. Those of some projects are found in an index alone, which has all that decides
 * on who sees them; those of somebody who takes part in most projects by date.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index search_documents_newest`.execute(db)
  await sql`
    create index search_documents_newest on search_documents (project_id, happened_at desc, id) include (author_id, is_draft)`.execute(
    db,
  )
  await sql`create index search_documents_by_date on search_documents (happened_at desc, id)`.execute(db)
}
