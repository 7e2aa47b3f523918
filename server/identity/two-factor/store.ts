import { type Kysely, sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

export type TwoFactorRecord = {
  secretEncrypted: string
  begunAt: Date
  /** Null until a code of the app has been entered. */
  enabledAt: Date | null
  recoverySalt: Buffer | null
}

/** Returns the second factor of an account, even if it is not on yet. */
export async function findTwoFactor(db: Db, userId: string): Promise<TwoFactorRecord | undefined> {
  const { rows } = await sql<TwoFactorRecord>`
    select secret_encrypted as "secretEncrypted", begun_at as "begunAt", enabled_at as "enabledAt",
      recovery_salt as "recoverySalt"
    from identity.two_factor where user_id = ${userId}`.execute(db)
  return rows[0]
}

/** Returns whether two-step sign-in is on. */
export async function isOn(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from identity.two_factor where user_id = ${userId} and enabled_at is not null`.execute(db)
  return rows.length > 0
}

/** Returns when two-step sign-in was turned on and the number of unused recovery codes; undefined if it is off. */
export async function findState(
  db: Db,
  subject: string,
): Promise<{ since: Date; recoveryCodes: number } | undefined> {
  const { rows } = await sql<{ since: Date; recoveryCodes: number }>`
    select enabled_at as since,
      (select count(*) from identity.recovery_codes r where r.user_id = t.user_id) as "recoveryCodes"
    from identity.two_factor t where user_id::text = ${subject} and enabled_at is not null`.execute(db)
  return rows[0]
}

/** Stores a secret whose codes have not been entered yet; returns false if two-step sign-in is on. */
export async function saveSecret(
  db: Db,
  { userId, secretEncrypted, now }: { userId: string; secretEncrypted: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into identity.two_factor (user_id, secret_encrypted, begun_at)
    values (${userId}, ${secretEncrypted}, ${now})
    on conflict (user_id) do update set secret_encrypted = excluded.secret_encrypted, begun_at = excluded.begun_at
    where two_factor.enabled_at is null`.execute(db)
  return numAffectedRows > 0n
}

/** Replaces secrets with re-encrypted ones, unless they have changed meanwhile. */
export async function replaceSecret(
  db: Db,
  { userId, known, renewed }: { userId: string; known: string; renewed: string },
): Promise<void> {
  await sql`
    update identity.two_factor set secret_encrypted = ${renewed}
    where user_id = ${userId} and secret_encrypted = ${known}`.execute(db)
}

export async function listSecrets(db: Db): Promise<{ userId: string; secretEncrypted: string }[]> {
  const { rows } = await sql<{ userId: string; secretEncrypted: string }>`
    select user_id as "userId", secret_encrypted as "secretEncrypted" from identity.two_factor`.execute(db)
  return rows
}

/**
 * Locks the password of an account. A sign-in that has just compared it waits for this lock before it checks whether two-step
 * sign-in is on (`openByPassword`).
 */
export async function lockPassword(trx: Transaction<Schema>, userId: string): Promise<void> {
  await sql`
    select from identity.account where "userId" = ${userId} and password is not null for update`.execute(trx)
}

/** Turns two-step sign-in on; returns false if it is already on or its secret is no longer the given one. */
export async function enable(
  trx: Transaction<Schema>,
  {
    userId,
    secretEncrypted,
    step,
    now,
  }: { userId: string; secretEncrypted: string; step: number; now: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update identity.two_factor set enabled_at = ${now}, last_step = ${step}
    where user_id = ${userId} and enabled_at is null and secret_encrypted = ${secretEncrypted}`.execute(trx)
  return numAffectedRows > 0n
}

/** Records the use of a code; returns false if this one or a later one was used before. */
export async function useStep(trx: Transaction<Schema>, userId: string, step: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update identity.two_factor set last_step = ${step}
    where user_id = ${userId} and enabled_at is not null and last_step < ${step}`.execute(trx)
  return numAffectedRows > 0n
}

/** Deletes a recovery code; returns false if it does not exist or was used. */
export async function useRecoveryCode(
  trx: Transaction<Schema>,
  userId: string,
  hash: Buffer,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from identity.recovery_codes where user_id = ${userId} and hash = ${hash}`.execute(trx)
  return numAffectedRows > 0n
}

/** Replaces the unused recovery codes. */
export async function replaceRecoveryCodes(
  trx: Transaction<Schema>,
  { userId, salt, hashes }: { userId: string; salt: Buffer; hashes: Buffer[] },
): Promise<void> {
  await sql`update identity.two_factor set recovery_salt = ${salt} where user_id = ${userId}`.execute(trx)
  await sql`delete from identity.recovery_codes where user_id = ${userId}`.execute(trx)
  await sql`
    insert into identity.recovery_codes (user_id, hash)
    select ${userId}, unnest(${hashes}::bytea[])`.execute(trx)
}

/** Turns two-step sign-in off; returns false if it was off. */
export async function deleteTwoFactor(trx: Transaction<Schema>, subject: string): Promise<boolean> {
  const { rows } = await sql<{ enabledAt: Date | null }>`
    delete from identity.two_factor where user_id::text = ${subject}
    returning enabled_at as "enabledAt"`.execute(trx)
  return rows.some(({ enabledAt }) => enabledAt !== null)
}

/** Ends the sessions of a user except `remaining`, and the sign-ins that wait for their second step. */
export async function endOtherSessions(
  trx: Transaction<Schema>,
  subject: string,
  remaining: string | null,
): Promise<void> {
  await sql`delete from identity.second_steps where user_id::text = ${subject}`.execute(trx)
  await sql`
    delete from identity.session
    where "userId"::text = ${subject} and id is distinct from ${remaining}::uuid`.execute(trx)
}

/** Stores a sign-in that waits for its second step. */
export async function insertSecondStep(
  db: Kysely<Schema>,
  { tokenHash, userId, expiresAt }: { tokenHash: string; userId: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into identity.second_steps (token_hash, user_id, expires_at)
    values (${tokenHash}, ${userId}, ${expiresAt})`.execute(db)
}

/** Returns the user of a sign-in that waits for its second step. */
export async function findSecondStep(
  db: Kysely<Schema>,
  tokenHash: string,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from identity.second_steps
    where token_hash = ${tokenHash} and expires_at > ${now}`.execute(db)
  return rows[0]?.userId
}

/**
 * Ends a sign-in's second step, and returns the current password hash: no session must be opened once the hash has changed.
 * Returns false if it has already ended, which a password change also does.
 */
export async function redeemSecondStep(
  trx: Transaction<Schema>,
  tokenHash: string,
  now: Date,
): Promise<{ passwordHash: string | null } | false> {
  const { rows } = await sql<{ passwordHash: string | null }>`
    delete from identity.second_steps s where token_hash = ${tokenHash} and expires_at > ${now}
    returning (select password from identity.account a
      where a."userId" = s.user_id and password is not null) as "passwordHash"`.execute(trx)
  return rows[0] ?? false
}
