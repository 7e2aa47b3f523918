import { type Kysely, sql } from 'kysely'

/** The digest of the network from which an import was begun, of which one is worked on at a time. Null: begun before this. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table imports add network text`.execute(db)
}
