import { type Kysely, sql } from 'kysely'

/** A draft and the entry that it becomes have one id: each has its own uses of a file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index file_uses_once`.execute(db)
  await sql`
    create unique index file_uses_once on file_uses (file_id, coalesce(entry_id, project_id, revision_id), used_as)
    where draft_id is null`.execute(db)
  await sql`drop index file_uses_draft`.execute(db)
  await sql`
    create unique index file_uses_draft on file_uses (draft_id, file_id, used_as)
    where draft_id is not null`.execute(db)
}
