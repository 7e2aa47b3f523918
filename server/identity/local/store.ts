import { type Kysely, sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import { withoutPasskeys } from '#server/identity/passkeys/removal.ts'
import type { Known } from './common-passwords.ts'

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

/** Ends the sessions of all accounts that an issuer does not vouch for. */
export async function endSessionsWithout(db: Kysely<Schema>, issuer: string): Promise<void> {
  await sql`
    delete from identity.session s where not exists (
      select from identity.account a where a."userId" = s."userId" and a."providerId" = ${issuer})`.execute(
    db,
  )
}

export async function deleteExpiredSessions(db: Kysely<Schema>, userId: string): Promise<void> {
  await sql`delete from identity.session where "userId" = ${userId} and "expiresAt" < now()`.execute(db)
}

/**
 * Deletes a new session whose user's password is no longer the one that was compared: it was changed, reset or removed
 * while they signed in. The lock waits for a concurrent change, which ended the sessions that it could see.
 */
export async function deleteSessionOfOldPassword(
  db: Kysely<Schema>,
  id: string,
  hash: string,
): Promise<void> {
  await sql`
    with current as materialized (
      select from identity.account a join identity.session s on s."userId" = a."userId"
      where s.id = ${id} and a.password = ${hash} for share of a)
    delete from identity.session where id = ${id} and not exists (select from current)`.execute(db)
}

/** Replaces a password hash where an account still has it: each hash has its own salt, so it identifies its account. */
export async function replaceHash(db: Kysely<Schema>, known: string, renewed: string): Promise<void> {
  await sql`
    update identity.account set password = ${renewed}, "updatedAt" = current_timestamp
    where password = ${known}`.execute(db)
}

/** Returns what guessers may know of an account: its email, the name that it was made with, and the present one. */
export async function findKnown(db: Db, userId: string): Promise<Known> {
  const { rows } = await sql<Known>`
    select i.email, array_remove(array[i.name, u.name], null) as names
    from identity."user" i
    left join users u on u.issuer = 'urn:milepost:local' and u.subject = i.id::text
    where i.id = ${userId}`.execute(db)
  return rows[0] ?? { email: '', names: [] }
}

/** Returns the email of an account by the subject of its ID tokens, and whether it is verified. */
export async function readPresentEmail(
  db: Db,
  subject: string,
): Promise<{ email: string; emailVerified: boolean } | undefined> {
  const { rows } = await sql<{ email: string; emailVerified: boolean }>`
    select email, "emailVerified" from identity."user" where id::text = ${subject}`.execute(db)
  return rows[0]
}

/** Returns the email of an account; undefined where there is no such account. */
export async function findEmail(db: Kysely<Schema>, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from identity."user" where id = ${userId}`.execute(db)
  return rows[0]?.email
}

/**
 * Sets a new password hash for an account, and ends its sessions, its passkeys and its links to reset the password: the person who
 * chose none of them gets the account alone. Returns the user whose account it is; undefined where it had no password.
 */
export async function replacePassword(
  trx: Transaction<Schema>,
  email: string,
  hash: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    update identity.account a set password = ${hash}, "updatedAt" = current_timestamp
    from identity."user" u
    where u.id = a."userId" and u.email = ${email.toLowerCase()} and a.password is not null
    returning a."userId"`.execute(trx)
  for (const { userId } of rows) await withoutPasskeys(trx, userId, () => deleteAccess(trx, userId, null))
  return rows[0]?.userId
}

/** Ends the sessions of a user but `remaining`, sign-ins that wait for a second step, their access tokens, and the links by which their password or email could be changed. */
export async function deleteAccess(trx: Transaction<Schema>, userId: string, remaining: string | null) {
  await sql`delete from identity.second_steps where user_id = ${userId}`.execute(trx)
  await sql`
    delete from identity.session
    where "userId" = ${userId} and id is distinct from ${remaining}::uuid`.execute(trx)
  await sql`
    delete from identity.password_resets
    where email = (select email from identity."user" where id = ${userId})`.execute(trx)
  await sql`delete from identity.email_change_links where user_id = ${userId}`.execute(trx)
  await sql`
    delete from access_tokens t using users u
    where u.id = t.user_id and u.issuer = 'urn:milepost:local' and u.subject = ${userId}::text`.execute(trx)
}

/** Returns the password hash of an account; undefined where it has none. */
export async function findHash(db: Kysely<Schema>, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ password: string }>`
    select password from identity.account where "userId" = ${userId} and password is not null`.execute(db)
  return rows[0]?.password
}

/** Changes a password hash, if it is still the known one, and ends all sessions of its account but `remaining`. */
export async function changeHash(
  trx: Transaction<Schema>,
  {
    userId,
    known,
    hash,
    remaining,
  }: { userId: string; known: string; hash: string; remaining: string | null },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update identity.account set password = ${hash}, "updatedAt" = current_timestamp
    where "userId" = ${userId} and password = ${known}`.execute(trx)
  if (numAffectedRows === 0n) return false
  await deleteAccess(trx, userId, remaining)
  return true
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
