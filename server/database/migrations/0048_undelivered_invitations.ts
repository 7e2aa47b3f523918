import { type Kysely, sql } from 'kysely'

/** When the mail server refused the address of an invitation for good; null: not yet, or the email was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table collaborators add column undeliverable_at timestamptz`.execute(db)
  await sql`alter table server_invitations add column undeliverable_at timestamptz`.execute(db)
}
