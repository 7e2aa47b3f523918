import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

/** The account of an address, and whether it has a password; undefined if there is none. */
export async function findAccount(
  db: Kysely<Schema>,
  email: string,
): Promise<{ hasPassword: boolean } | undefined> {
  const { rows } = await sql<{ hasPassword: boolean }>`
    select exists (
      select from identity.account where "userId" = u.id and password is not null) as "hasPassword"
    from identity."user" u where email = ${email.toLowerCase()}`.execute(db)
  return rows[0]
}

/** Throws while the sessions cannot be read. */
export async function readSessions(db: Kysely<Schema>): Promise<void> {
  await sql`select from identity.session limit 1`.execute(db)
}

/** Gives the account of an address another password and ends its sessions; whether there was a password to replace. */
export async function replacePassword(db: Kysely<Schema>, email: string, hash: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ userId: string }>`
      update identity.account a set password = ${hash}, "updatedAt" = current_timestamp
      from identity."user" u
      where u.id = a."userId" and u.email = ${email.toLowerCase()} and a.password is not null
      returning a."userId"`.execute(trx)
    for (const { userId } of rows)
      await sql`delete from identity.session where "userId" = ${userId}`.execute(trx)
    return rows.length > 0
  })
}
