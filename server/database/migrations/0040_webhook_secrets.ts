import { type Kysely, sql } from 'kysely'

/**
 * The former secret of a webhook, which signs beside the new one until then; and deliveries of no activity: test messages.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhooks
      add column former_secret_encrypted bytea,
      add column former_secret_until timestamptz`.execute(db)
  await sql`alter table webhook_deliveries alter column activity_id drop not null`.execute(db)
}
