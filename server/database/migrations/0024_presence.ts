import { type Kysely, sql } from 'kysely'

/**
 * Who has an entry open in the editor. The rows are good for less than a minute: they are not logged, in no backup, and
 * refer to no table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table entry_editors (
      entry_id uuid,
      user_id uuid,
      expires_at timestamptz not null,
      primary key (entry_id, user_id)
    )`.execute(db)
  await sql`create index entry_editors_expired on entry_editors (expires_at)`.execute(db)
}
