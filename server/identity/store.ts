import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Schema, UserRow } from '#server/database/rows.ts'

export type UserValues = Pick<
  UserRow,
  'id' | 'issuer' | 'subject' | 'name' | 'email' | 'email_verified' | 'photo_url'
>

export type UserRecord = Pick<UserRow, 'id' | 'name' | 'email' | 'photo_url'>

/** A user after the change, and their email address before it; `before` is null where the user is new. */
export type UpsertedUser = UserRecord &
  Pick<UserRow, 'email_verified'> & { before: Pick<UserRow, 'email' | 'email_verified'> | null }

/** Inserts or updates the user of (issuer, subject); an empty name does not replace a known one. */
export async function upsertUser(
  trx: Transaction<Schema>,
  values: UserValues,
  now: Date,
): Promise<UpsertedUser> {
  const before = await trx
    .selectFrom('users')
    .select(['email', 'email_verified'])
    .where('issuer', '=', values.issuer)
    .where('subject', '=', values.subject)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const user = await trx
    .insertInto('users')
    .values({ ...values, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({
        name: sql`case when excluded.name = '' then users.name else excluded.name end`,
        email: sql`excluded.email`,
        email_verified: sql`excluded.email_verified`,
        photo_url: sql`excluded.photo_url`,
        updated_at: now,
      }),
    )
    .returning(['id', 'name', 'email', 'email_verified', 'photo_url'])
    .executeTakeFirstOrThrow()
  return { ...user, before: before ?? null }
}

export function findUser(db: Kysely<Schema>, id: string): Promise<UserRecord | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'photo_url'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Inserts a session; returns null where the provider's session that it belongs to has just ended. */
export async function insertSession(
  trx: Transaction<Schema>,
  session: { id: string; userId: string; providerSession: string | null; now: Date },
): Promise<string | null> {
  const { id, userId, providerSession, now } = session
  const { rows } = await sql<{ id: string }>`
    insert into sessions (id, user_id, provider_session, created_at)
    select ${id}::uuid, ${userId}::uuid, ${providerSession}::uuid, ${now}::timestamptz
    where ${providerSession}::uuid is null
      or exists (select from identity.session where id = ${providerSession}::uuid for key share)
    returning id`.execute(trx)
  return rows[0]?.id ?? null
}

/** Deletes the sessions of a user whose tokens have all expired. */
export async function deleteSessionsBefore(
  trx: Transaction<Schema>,
  userId: string,
  date: Date,
): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('created_at', '<', date).execute()
}

/** Returns the user of a session; undefined where it was revoked or never opened. */
export async function findSessionUser(db: Kysely<Schema>, id: string): Promise<string | undefined> {
  return (await openSession.first(db, { id }))?.user_id
}

const openSession = prepared((db, { id }: { id: string }) =>
  db.selectFrom('sessions').select('user_id').where('id', '=', id).where('revoked_at', 'is', null),
)

/** Returns those of the given sessions that were neither revoked nor deleted. */
export async function findOpenSessions(db: Kysely<Schema>, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id = any(${ids}::uuid[]) and revoked_at is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Revokes a session and returns the provider's session that it was opened from. */
export async function revokeSession(db: Kysely<Schema>, id: string, now: Date): Promise<string | null> {
  const row = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .returning('provider_session')
    .executeTakeFirst()
  return row?.provider_session ?? null
}

/** The times before which rows have expired. */
type Bounds = { now: Date; sessionsBefore: Date }

/** Takes the lock of the sweep for this transaction; returns false where another process holds it. */
export async function lockSweep(trx: Transaction<Schema>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('milepost identity sweep', 0)) as locked`.execute(trx)
  return rows[0]?.locked ?? false
}

/** Deletes up to so many expired rows of each table; returns the largest number that it deleted from one. */
export async function deleteExpired(
  trx: Transaction<Schema>,
  { now, sessionsBefore }: Bounds,
  atMost: number,
): Promise<number> {
  const expired: [table: string, condition: RawBuilder<unknown>][] = [
    ['identity.session', sql`"expiresAt" < ${now}`],
    ['sessions', sql`created_at < ${sessionsBefore}`],
    ['identity.confirmations', sql`expires_at < ${now}`],
    ['identity.verification', sql`"expiresAt" < ${now}`],
    ['call_limits', sql`ends_at < ${now}`],
    ['identity.redeemed_round_trips', sql`forget_at < ${now}`],
  ]
  let most = 0
  for (const [name, condition] of expired) {
    const table = sql.table(name)
    const { numAffectedRows = 0n } = await sql`
      delete from ${table} where ctid in (
        select ctid from ${table} where ${condition} limit ${atMost} for update skip locked)`.execute(trx)
    most = Math.max(most, Number(numAffectedRows))
  }
  return most
}
