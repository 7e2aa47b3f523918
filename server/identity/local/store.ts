import { type Kysely, sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import { withoutPasskeys } from '#server/identity/passkeys/removal.ts'
import type { AccountWords } from './common-passwords.ts'

/** Returns the account with this email, and the hash of its password, if it has one. */
export async function findAccount(
  db: Kysely<Schema>,
  email: string,
): Promise<{ userId: string; hash: string | null } | undefined> {
  const { rows } = await sql<{ userId: string; hash: string | null }>`
    select u.id as "userId", (
      select password from identity.account where "userId" = u.id and password is not null) as hash
    from identity."user" u where email = ${email.toLowerCase()}`.execute(db)
  return rows[0]
}

type NewAccount = { email: string; name: string; hash: string; now: Date }

/** Creates an account with a password. Returns its user; undefined if there is one with this email. */
export async function insertAccount(
  db: Kysely<Schema>,
  { email, name, hash, now }: NewAccount,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    with person as (
      insert into identity."user" (name, email, "emailVerified", "createdAt", "updatedAt")
      values (${name}, ${email.toLowerCase()}, false, ${now}, ${now})
      on conflict (email) do nothing returning id)
    insert into identity.account ("accountId", "providerId", "userId", password, "updatedAt")
    select id::text, 'credential', id, ${hash}, ${now} from person
    returning "userId"`.execute(db)
  return rows[0]?.userId
}

/** A session of the local provider, and the person to whom it belongs. */
export type BrowserSession = {
  id: string
  token: string
  expiresAt: Date
  person: { id: string; email: string; emailVerified: boolean; name: string; image: string | null }
}

type NewSession = {
  userId: string
  token: string
  now: Date
  expiresAt: Date
  ip: string
  userAgent: string
  device: string
}

/** Returns the id of the session. */
export async function insertSession(
  db: Db,
  { userId, token, now, expiresAt, ip, userAgent, device }: NewSession,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into identity.session
      ("userId", token, "createdAt", "updatedAt", "expiresAt", "ipAddress", "userAgent", device)
    values (${userId}, ${token}, ${now}, ${now}, ${expiresAt}, ${ip}, ${userAgent}, ${device})
    returning id`.execute(db)
  const [session] = rows
  if (!session) throw new Error('the session was not inserted')
  return session.id
}

/** Returns the session with this token and its person. */
export async function findSession(db: Db, token: string, now: Date): Promise<BrowserSession | undefined> {
  const { rows } = await sql<Omit<BrowserSession, 'person'> & BrowserSession['person'] & { userId: string }>`
    select s.id, s.token, s."expiresAt", u.id as "userId", u.email, u."emailVerified", u.name, u.image
    from identity.session s join identity."user" u on u.id = s."userId"
    where s.token = ${token} and s."expiresAt" > ${now}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { id, expiresAt, userId, email, emailVerified, name, image } = row
  return { id, token, expiresAt, person: { id: userId, email, emailVerified, name, image } }
}

export async function extendSession(
  db: Db,
  { id, expiresAt, now }: { id: string; expiresAt: Date; now: Date },
): Promise<void> {
  await sql`
    update identity.session set "expiresAt" = ${expiresAt}, "updatedAt" = ${now} where id = ${id}`.execute(db)
}

export async function deleteSessionByToken(db: Db, token: string): Promise<void> {
  await sql`delete from identity.session where token = ${token}`.execute(db)
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

export async function deleteExpiredSessions(db: Db, userId: string, now: Date): Promise<void> {
  await sql`delete from identity.session where "userId" = ${userId} and "expiresAt" < ${now}`.execute(db)
}

/** Returns whether a password still has this hash, and locks it until the end of the transaction. */
export async function isCurrentHash(
  trx: Transaction<Schema>,
  userId: string,
  hash: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from identity.account where "userId" = ${userId} and password = ${hash} for share`.execute(trx)
  return rows.length > 0
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
}

/** Returns the keys that expire after this time, the newest first. */
export async function listSigningKeys(db: Kysely<Schema>, after: Date): Promise<SigningKey[]> {
  const { rows } = await sql<SigningKey>`
    select id, "publicKey", "privateKey", "createdAt", "expiresAt" from identity.jwks
    where "expiresAt" > ${after} order by "createdAt" desc`.execute(db)
  return rows
}

export async function insertSigningKey(db: Kysely<Schema>, key: SigningKey): Promise<void> {
  const { id, publicKey, privateKey, createdAt, expiresAt } = key
  await sql`
    insert into identity.jwks (id, "publicKey", "privateKey", "createdAt", "expiresAt", alg)
    values (${id}, ${publicKey}, ${privateKey}, ${createdAt}, ${expiresAt}, 'ES256')`.execute(db)
}
