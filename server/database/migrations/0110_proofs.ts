import { type Kysely, sql } from 'kysely'

/**
 * When the person of a session last proved who they are. Null: by signing in, when the session began. Sessions of a hosted provider
 * have it in their own row, because they have none at the provider here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identity.session add "provenAt" timestamptz`.execute(db)
  await sql`alter table sessions add proven_at timestamptz`.execute(db)
}
