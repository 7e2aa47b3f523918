import { type Kysely, sql } from 'kysely'

/**
 * The three letters of a new text go to a list from which a task moves them into the index (`mergePending`), as the words of the search
 * over everything do. Without it, they were more than half of what PostgreSQL does for a save.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter index if exists entries_search set (fastupdate = on)`.execute(db)
}
