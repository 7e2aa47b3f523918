import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

type Account = { email: string; emailVerified: boolean }

/** Returns the account and locks it, so that its links are requested and redeemed one at a time. */
export async function lockAccount(trx: Transaction<Schema>, userId: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select email, "emailVerified" from identity."user" where id = ${userId} for update`.execute(trx)
  return rows[0]
}

/** Returns when the links of an account were requested, latest first. */
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
  row: { id: string; userId: string; email: string; tokenHash: string; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into identity.confirmations (id, user_id, email, token_hash, created_at, expires_at)
    values (${row.id}, ${row.userId}, ${row.email}, ${row.tokenHash}, ${row.now}, ${row.expiresAt})`.execute(
    trx,
  )
}

/** Returns a link that is still to be sent; undefined once it was sent, or once the email is confirmed or has changed. */
export async function findUnsent(
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

export async function markSent(
  db: Kysely<Schema>,
  { id, now, expiresAt }: { id: string; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    update identity.confirmations set sent_at = ${now}, expires_at = ${expiresAt} where id = ${id}`.execute(
    db,
  )
}

export async function findByToken(
  trx: Transaction<Schema>,
  tokenHash: string,
): Promise<{ userId: string; email: string; expiresAt: Date } | undefined> {
  const { rows } = await sql<{ userId: string; email: string; expiresAt: Date }>`
    select user_id as "userId", email, expires_at as "expiresAt"
    from identity.confirmations where token_hash = ${tokenHash}`.execute(trx)
  return rows[0]
}

/**
 * Marks the email as verified, for the provider and for the application, and deletes every link of the account. Returns
 * the application's user; undefined where there is none yet.
 */
export async function confirmAddress(
  trx: Transaction<Schema>,
  { issuer, userId, now }: { issuer: string; userId: string; now: Date },
): Promise<{ userId: string; email: string } | undefined> {
  await sql`
    update identity."user" set "emailVerified" = true, "updatedAt" = ${now} where id = ${userId}`.execute(trx)
  await sql`delete from identity.confirmations where user_id = ${userId}`.execute(trx)
  return trx
    .updateTable('users')
    .set({ email_verified: true, updated_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', userId)
    .returning(['id as userId', 'email'])
    .executeTakeFirst()
}
