import { type Kysely, sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import { withoutPasskeys } from '#server/identity/passkeys/removal.ts'
import type { AccountWords } from './common-passwords.ts'

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

/** Throws if the table of sessions cannot be read. */
export async function readSessions(db: Kysely<Schema>): Promise<void> {
  await sql`select from identity.session limit 1`.execute(db)
}

/** Ends a session. The database cascades to the application sessions opened from it. */
export async function deleteSession(db: Kysely<Schema>, id: string): Promise<void> {
  await sql`delete from identity.session where id = ${id}`.execute(db)
}

/** Ends the sessions of all accounts that are not linked to an issuer. */
export async function endSessionsWithout(db: Kysely<Schema>, issuer: string): Promise<void> {
  await sql`
    delete from identity.session s where not exists (
      select from identity.account a where a."userId" = s."userId" and rtrim(a."providerId", '/') = rtrim(${issuer}, '/'))`.execute(
    db,
  )
}

export async function deleteExpiredSessions(db: Kysely<Schema>, userId: string): Promise<void> {
  await sql`delete from identity.session where "userId" = ${userId} and "expiresAt" < now()`.execute(db)
}

/**
 * Deletes a new session if its user's password is no longer the compared one: it was changed, reset or removed during the
 * sign-in. The lock waits for a concurrent change, which ended only the sessions that it could see.
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

/** Replaces a password hash if an account still has it. Each hash has its own salt, so it identifies its account. */
export async function replaceHash(db: Kysely<Schema>, known: string, renewed: string): Promise<void> {
  await sql`
    update identity.account set password = ${renewed}, "updatedAt" = current_timestamp
    where password = ${known}`.execute(db)
}

/** Returns what attackers may know of an account: its email, its original name and its current name. */
export async function findAccountWords(db: Db, userId: string): Promise<AccountWords> {
  const { rows } = await sql<AccountWords>`
    select i.email, array_remove(array[i.name, u.name], null) as names
    from identity."user" i
    left join users u on u.issuer = 'urn:milepost:local' and u.subject = i.id::text
    where i.id = ${userId}`.execute(db)
  return rows[0] ?? { email: '', names: [] }
}

/** Returns the email of an account by the subject of its ID tokens, and whether it is verified. */
export async function readCurrentEmail(
  db: Db,
  subject: string,
): Promise<{ email: string; emailVerified: boolean } | undefined> {
  const { rows } = await sql<{ email: string; emailVerified: boolean }>`
    select email, "emailVerified" from identity."user" where id::text = ${subject}`.execute(db)
  return rows[0]
}

/** Returns the email of an account; undefined if there is no such account. */
export async function findEmail(db: Kysely<Schema>, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from identity."user" where id = ${userId}`.execute(db)
  return rows[0]?.email
}

/**
 * Sets a new password hash for an account, and deletes its sessions, passkeys and password reset links, so that anybody
 * else who had access loses it. Returns the user of the account; undefined if it had no password.
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

/**
 * Ends the sessions of a user except `remaining`. Deletes the sign-ins that wait for a second step, the access tokens, and the
 * links that could change the password or email.
 */
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

/** Returns the password hash of an account; undefined if it has none. */
export async function findHash(db: Kysely<Schema>, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ password: string }>`
    select password from identity.account where "userId" = ${userId} and password is not null`.execute(db)
  return rows[0]?.password
}

/** Changes a password hash if it is still the known one, and ends all sessions of its account except `remaining`. */
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

/** A key pair that signs ID tokens. Its private key is encrypted with one of our secrets. */
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
