import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

/** A table of emailed links. All have the columns id, email, token_hash, created_at, sent_at and expires_at. */
export type LinkTable = 'identity.confirmations' | 'identity.password_resets' | 'identity.email_change_links'

export type NewLink = { id: string; tokenHash: string; now: Date; expiresAt: Date }

/** Records that a link was sent and when it expires, unless it was ended meanwhile. */
export async function markSent(
  db: Kysely<Schema>,
  table: LinkTable,
  { id, now, expiresAt }: { id: string; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set sent_at = ${now}, expires_at = ${expiresAt}
    where id = ${id} and expires_at > ${now}`.execute(db)
}

/**
 * Locks the application's user of an account, as a sign-in does, and returns it; undefined if there is none. Call it before
 * `lockAccount`: administrators lock in this order.
 */
export async function lockApplicationUser(
  trx: Transaction<Schema>,
  { issuer, userId }: { issuer: string; userId: string },
): Promise<{ userId: string; email: string } | undefined> {
  return trx
    .selectFrom('users')
    .select(['id as userId', 'email'])
    .where('issuer', '=', issuer)
    .where('subject', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

type Account = { email: string; emailVerified: boolean }

/** Locks and returns the account, which serializes the requests and redemptions of its links. */
export async function lockAccount(trx: Transaction<Schema>, userId: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select email, "emailVerified" from identity."user" where id = ${userId} for update`.execute(trx)
  return rows[0]
}

/** Returns when confirmations of an account were requested, latest first. */
export async function findRequestedSince(
  trx: Transaction<Schema>,
  userId: string,
  since: Date,
): Promise<Date[]> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from identity.confirmations
    where user_id = ${userId} and created_at > ${since}
    order by created_at desc`.execute(trx)
  return rows.map(({ created_at }) => created_at)
}

export async function insertConfirmation(
  trx: Transaction<Schema>,
  row: NewLink & { userId: string; email: string },
): Promise<void> {
  await sql`
    insert into identity.confirmations (id, user_id, email, token_hash, created_at, expires_at)
    values (${row.id}, ${row.userId}, ${row.email}, ${row.tokenHash}, ${row.now}, ${row.expiresAt})`.execute(
    trx,
  )
}

/** Returns a confirmation that has not been sent; undefined also if the email was confirmed or has changed. */
export async function findUnsentConfirmation(
  db: Kysely<Schema>,
  id: string,
  now: Date,
): Promise<{ email: string; tokenHash: string } | undefined> {
  const { rows } = await sql<{ email: string; tokenHash: string }>`
    select c.email, c.token_hash as "tokenHash"
    from identity.confirmations c join identity."user" u on u.id = c.user_id
    where c.id = ${id} and c.sent_at is null and c.expires_at > ${now}
      and not u."emailVerified" and u.email = c.email`.execute(db)
  return rows[0]
}

export async function findConfirmation(
  trx: Transaction<Schema>,
  tokenHash: string,
): Promise<{ id: string; userId: string; email: string; expiresAt: Date } | undefined> {
  const { rows } = await sql<{ id: string; userId: string; email: string; expiresAt: Date }>`
    select id, user_id as "userId", email, expires_at as "expiresAt"
    from identity.confirmations where token_hash = ${tokenHash}`.execute(trx)
  return rows[0]
}

/**
 * Marks the email as verified in the provider's and the application's user, and deletes every confirmation of the account
 * except the redeemed one. Returns the application's user; undefined if there is none yet.
 */
export async function confirmAddress(
  trx: Transaction<Schema>,
  { issuer, userId, redeemed, now }: { issuer: string; userId: string; redeemed: string; now: Date },
): Promise<{ userId: string; email: string } | undefined> {
  await sql`
    update identity."user" set "emailVerified" = true, "updatedAt" = ${now} where id = ${userId}`.execute(trx)
  await sql`delete from identity.confirmations where user_id = ${userId} and id <> ${redeemed}`.execute(trx)
  return trx
    .updateTable('users')
    .set({ email_verified: true, updated_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', userId)
    .returning(['id as userId', 'email'])
    .executeTakeFirst()
}

export async function insertReset(trx: Transaction<Schema>, row: NewLink & { email: string }): Promise<void> {
  await sql`
    insert into identity.password_resets (id, email, token_hash, created_at, expires_at)
    values (${row.id}, ${row.email}, ${row.tokenHash}, ${row.now}, ${row.expiresAt})`.execute(trx)
}

/** Returns the email of an account with a password, by the subject of its ID tokens; undefined if there is none. */
export async function findPasswordEmail(
  trx: Transaction<Schema>,
  subject: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select u.email from identity."user" u join identity.account a on a."userId" = u.id
    where u.id::text = ${subject} and a.password is not null`.execute(trx)
  return rows[0]?.email
}

type UnsentReset = { email: string; tokenHash: string; hasPassword: boolean }

/** Returns a reset that has not been sent; undefined also if no account has its email. */
export async function findUnsentReset(
  db: Kysely<Schema>,
  id: string,
  now: Date,
): Promise<UnsentReset | undefined> {
  const { rows } = await sql<UnsentReset>`
    select r.email, r.token_hash as "tokenHash", exists (
      select from identity.account where "userId" = u.id and password is not null) as "hasPassword"
    from identity.password_resets r join identity."user" u on u.email = r.email
    where r.id = ${id} and r.sent_at is null and r.expires_at > ${now}`.execute(db)
  return rows[0]
}

/** Returns whether the token of a reset can be redeemed. */
export async function isResetOpen(db: Kysely<Schema>, tokenHash: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from identity.password_resets where token_hash = ${tokenHash} and expires_at > ${now}`.execute(db)
  return rows.length > 0
}

/** Deletes the reset of a token, so that only one of several requests redeems it; returns its email. */
export async function redeemReset(
  trx: Transaction<Schema>,
  tokenHash: string,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    delete from identity.password_resets where token_hash = ${tokenHash} and expires_at > ${now}
    returning email`.execute(trx)
  return rows[0]?.email
}
