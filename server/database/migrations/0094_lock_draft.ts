import { type Kysely, sql } from 'kysely'

/** A save locks the draft that it ends and reads its files in one round trip. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function lock_draft(draft uuid, writer uuid) returns uuid[] language plpgsql as $$
    begin
      perform from entry_drafts where id = draft and writer_id = writer for update;
      if not found then
        return '{}';
      end if;
      -- Another statement: it sees what was committed while this one waited for the lock.
      return array(select file_id from file_uses where draft_id = draft);
    end $$`.execute(db)
}
