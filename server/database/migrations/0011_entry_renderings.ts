import { type Kysely, sql } from 'kysely'

/**
 * What the Markdown of entries was rendered to. Apart from `entries`, so that rendering again changes neither their
 * versions nor their dates, wakes none of their triggers, and lists never read the HTML. A rendering is that of one
 * version of its entry: of another it says nothing. Entries from before this are rendered by a job.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table entry_renderings (
      entry_id uuid primary key references entries (id) on delete cascade,
      entry_version integer not null,
      renderer integer not null,
      rendered_as text not null check (rendered_as in ('markdown', 'plain')),
      excerpt text not null,
      word_count integer not null,
      html text not null,
      headings jsonb not null
    )`.execute(db)
}
