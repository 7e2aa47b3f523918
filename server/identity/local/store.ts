import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

/** Returns whether the account with this email has a password; undefined if there is no such account. */
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

/** Ends a session and, by the cascade, the application sessions that were opened from it. */
export async function deleteSession(db: Kysely<Schema>, id: string): Promise<void> {
  await sql`delete from identity.session where id = ${id}`.execute(db)
}

export async function deleteExpiredSessions(db: Kysely<Schema>, userId: string): Promise<void> {
  await sql`delete from identity.session where "userId" = ${userId} and "expiresAt" < now()`.execute(db)
}

/** Deletes a session whose user lost their password between its check and the start of the session. */
export async function deleteSessionWithoutPassword(db: Kysely<Schema>, id: string): Promise<void> {
  await sql`
    delete from identity.session s where id = ${id} and not exists (
      select from identity.account where "userId" = s."userId" and password is not null)`.execute(db)
}

/** Replaces a password hash where an account still has it: each hash has its own salt, so it identifies its account. */
export async function replaceHash(db: Kysely<Schema>, known: string, renewed: string): Promise<void> {
  await sql`
    update identity.account set password = ${renewed}, "updatedAt" = current_timestamp
    where password = ${known}`.execute(db)
}

/** Sets a new password hash for an account and ends its sessions; returns false where it had no password. */
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

/** A key pair that signs ID tokens; its private half is encrypted with one of our secrets. */
export type SigningKey = {
  id: string
  publicKey: string
  privateKey: string
  createdAt: Date
  expiresAt: Date
  alg: 'ES256'
}

export async function listSigningKeys(db: Kysely<Schema>): Promise<SigningKey[]> {
  const { rows } = await sql<SigningKey>`select * from identity.jwks`.execute(db)
  return rows
}
