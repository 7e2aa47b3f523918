import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { DateColumns } from '#server/database/rows/account.ts'
import type { Schema } from '#server/database/rows.ts'
import type { NewLink } from './store.ts'

/** The email that a link was sent to: the current or the new one. */
export type Side = 'current' | 'new'

/** Locks a session until the transaction ends; returns false if the session has ended, for example by a password change. */
export async function lockOpenSession(
  trx: Transaction<Schema>,
  { userId, session }: { userId: string; session: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    select from identity.session where id = ${session}::uuid and "userId" = ${userId} for share`.execute(trx)
  return rows.length > 0
}

/** Deletes the links of an account's pending change. */
export async function deleteEmailChange(db: Kysely<Schema>, userId: string): Promise<void> {
  await sql`delete from identity.email_change_links where user_id::text = ${userId}`.execute(db)
}

export async function insertEmailChangeLink(
  trx: Transaction<Schema>,
  row: NewLink & { userId: string; side: Side; email: string; newEmail: string },
): Promise<void> {
  await sql`
    insert into identity.email_change_links
      (id, user_id, side, email, new_email, token_hash, created_at, expires_at)
    values (${row.id}, ${row.userId}, ${row.side}, ${row.email}, ${row.newEmail}, ${row.tokenHash}, ${row.now},
      ${row.expiresAt})`.execute(trx)
}

export type UnsentEmailChange = {
  side: Side
  email: string
  newEmail: string
  tokenHash: string
  /** Whether the new email belongs to an account. */
  isTaken: boolean
}

/** Returns a link of a change that has not been sent yet. */
export async function findUnsentEmailChange(
  db: Kysely<Schema>,
  id: string,
  now: Date,
): Promise<UnsentEmailChange | undefined> {
  const { rows } = await sql<UnsentEmailChange>`
    select side, email, new_email as "newEmail", token_hash as "tokenHash", exists (
      select from identity."user" u where u.email = l.new_email) as "isTaken"
    from identity.email_change_links l
    where id = ${id} and sent_at is null and confirmed_at is null and expires_at > ${now}`.execute(db)
  return rows[0]
}

/**
 * Cancels the change that a link belongs to, so that none of its links confirms it. Returns false if the link does not
 * exist. Canceled and expired links exist until the cleanup.
 */
export async function endEmailChange(db: Kysely<Schema>, tokenHash: string, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update identity.email_change_links set expires_at = least(expires_at, ${now}::timestamptz)
    where user_id = (select user_id from identity.email_change_links where token_hash = ${tokenHash})`.execute(
    db,
  )
  return numAffectedRows > 0n
}

/** Returns the account of a link by its token; undefined if there is no link or it has expired. */
export async function findEmailChangeOwner(
  db: Kysely<Schema>,
  tokenHash: string,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from identity.email_change_links
    where token_hash = ${tokenHash} and expires_at > ${now}`.execute(db)
  return rows[0]?.userId
}

/** Confirms a change with a link. Repeating it has no effect. Returns false if the link was replaced or has expired. */
export async function confirmEmailChangeLink(
  trx: Transaction<Schema>,
  { tokenHash, userId, now }: { tokenHash: string; userId: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update identity.email_change_links set confirmed_at = coalesce(confirmed_at, ${now})
    where token_hash = ${tokenHash} and user_id = ${userId} and expires_at > ${now}`.execute(trx)
  return numAffectedRows > 0n
}

export type EmailChangeLink = { side: Side; newEmail: string; isConfirmed: boolean; expiresAt: Date }

/** Returns the unexpired links of an account's pending change. */
export async function listEmailChangeLinks(
  db: Kysely<Schema>,
  subject: string,
  now: Date,
): Promise<EmailChangeLink[]> {
  const { rows } = await sql<EmailChangeLink>`
    select side, new_email as "newEmail", confirmed_at is not null as "isConfirmed", expires_at as "expiresAt"
    from identity.email_change_links
    where user_id::text = ${subject} and expires_at > ${now} order by side`.execute(db)
  return rows
}

/** Sets the email of an account; returns false if another account has it. */
export async function replaceEmail(
  trx: Transaction<Schema>,
  { userId, email, emailVerified, now }: { userId: string; email: string; emailVerified: boolean; now: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update identity."user" set email = ${email}, "emailVerified" = ${emailVerified}, "updatedAt" = ${now}
    where id = ${userId} and not exists (select from identity."user" where email = ${email})`.execute(trx)
  if (numAffectedRows === 0n) return false
  await sql`delete from identity.confirmations where user_id = ${userId}`.execute(trx)
  return true
}

/** Sets the email of the application's user, and records the former one. Returns the id of that record. */
export async function replaceApplicationEmail(
  trx: Transaction<Schema>,
  change: { userId: string; former: string; email: string; emailVerified: boolean; now: Date },
): Promise<string> {
  const { userId, former, email, emailVerified, now } = change
  await trx
    .updateTable('users')
    .set({ email, email_verified: emailVerified, updated_at: now })
    .where('id', '=', userId)
    .execute()
  const id = uuidv7()
  await trx
    .insertInto('former_emails')
    .values({ id, user_id: userId, email: former, changed_at: now })
    .execute()
  return id
}

/** Returns a former email of an account and when it was replaced; undefined if the account was deleted. */
export function findFormerEmail(
  db: Kysely<Schema>,
  id: string,
): Promise<({ email: string; changedAt: Date } & DateColumns) | undefined> {
  return db
    .selectFrom('former_emails as f')
    .innerJoin('users as u', 'u.id', 'f.user_id')
    .select(['f.email', 'f.changed_at as changedAt', 'u.time_zone', 'u.date_format'])
    .where('f.id', '=', id)
    .executeTakeFirst()
}
