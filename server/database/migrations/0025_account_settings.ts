import { type Kysely, sql } from 'kysely'

/**
 * Names that people chose here, which no sign-in replaces by those of the provider, and when a session of the local
 * provider was last used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column named_at timestamptz`.execute(db)
  await sql`alter table identity.session add column "lastUsedAt" timestamptz`.execute(db)
}
