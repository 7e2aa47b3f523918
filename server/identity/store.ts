import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { pictureOf } from '#server/database/people.ts'
import { prepared } from '#server/database/prepared.ts'
import type { DateColumns, UserRow } from '#server/database/rows/account.ts'
import type { Schema } from '#server/database/rows.ts'

export type UserValues = Pick<
  UserRow,
  'id' | 'issuer' | 'subject' | 'name' | 'email' | 'email_verified' | 'photo_url'
>

export type UserRecord = Pick<UserRow, 'id' | 'name' | 'email' | 'photo_url'> & {
  is_admin: boolean
  picture_id: string | null
} & DateColumns

/** A user after an upsert, and their email before it; `before` is null for a new user. */
export type UpsertedUser = UserRecord &
  Pick<UserRow, 'email_verified'> & {
    leaving_since: Date | null
    awaiting_since: Date | null
    suspended_at: Date | null
    before: KnownUser | null
  }

/** The user as stored before a sign-in. */
export type KnownUser = Pick<UserRow, 'email' | 'email_verified'>

/** Locks and returns the user of (issuer, subject); undefined on the first sign-in. */
export function lockKnown(
  trx: Transaction<Schema>,
  { issuer, subject }: Pick<UserValues, 'issuer' | 'subject'>,
): Promise<KnownUser | undefined> {
  return trx
    .selectFrom('users')
    .select(['email', 'email_verified'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The initial values of a new account. */
type InitialState = { is_admin: boolean; awaiting_since: Date | null }

/**
 * Inserts or updates the user of (issuer, subject). An empty name does not replace a known one, and no name replaces one
 * that the user chose in Milepost.
 */
export async function upsertUser(
  trx: Transaction<Schema>,
  values: UserValues & InitialState,
  { before, now }: { before: KnownUser | undefined; now: Date },
): Promise<UpsertedUser> {
  const user = await trx
    .insertInto('users')
    .values({ ...values, last_seen_at: values.awaiting_since ? null : now, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({
        name: sql`case when excluded.name = '' or users.named_at is not null then users.name else excluded.name end`,
        email: sql`excluded.email`,
        email_verified: sql`excluded.email_verified`,
        photo_url: sql`excluded.photo_url`,
        last_seen_at: sql`case when users.awaiting_since is null then excluded.last_seen_at end`,
        updated_at: now,
      }),
    )
    .returning([
      'id',
      'name',
      'email',
      'email_verified',
      'photo_url',
      'is_admin',
      'time_zone',
      'date_format',
      'leaving_since',
      'awaiting_since',
      'suspended_at',
      pictureOf('users.id').as('picture_id'),
    ])
    .executeTakeFirstOrThrow()
  return { ...user, before: before ?? null }
}

/** Approves a user who awaited approval. */
export async function approveUser(trx: Transaction<Schema>, id: string, now: Date): Promise<void> {
  await trx
    .updateTable('users')
    .set({ awaiting_since: null, last_seen_at: now })
    .where('id', '=', id)
    .execute()
}

/** Cancels the deletion of an account. */
export async function cancelUserDeletion(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx.updateTable('users').set({ leaving_since: null }).where('id', '=', id).execute()
}

export function findUser(db: Kysely<Schema>, id: string): Promise<UserRecord | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'photo_url', 'is_admin', 'time_zone', 'date_format'])
    .select(pictureOf('users.id').as('picture_id'))
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Inserts a session and marks the provider's session as used; returns null if the provider's session has just ended. */
export async function insertSession(
  trx: Transaction<Schema>,
  session: { id: string; userId: string; providerSession: string | null; provenAt: Date | null; now: Date },
): Promise<string | null> {
  const { id, userId, providerSession, provenAt, now } = session
  const { rows } = await sql<{ id: string }>`
    with used as (
      update identity.session set "lastUsedAt" = ${now} where id = ${providerSession}::uuid returning id)
    insert into sessions (id, user_id, provider_session, proven_at, created_at)
    select ${id}::uuid, ${userId}::uuid, ${providerSession}::uuid, ${provenAt}::timestamptz, ${now}::timestamptz
    where ${providerSession}::uuid is null
      or exists (select from used)
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

/** Returns the user of a session; undefined if it was revoked or never opened. */
export async function findSessionUser(db: Kysely<Schema>, id: string): Promise<string | undefined> {
  return (await openSession.first(db, { id }))?.user_id
}

const openSession = prepared((db, { id }: { id: string }) =>
  db.selectFrom('sessions').select('user_id').where('id', '=', id).where('revoked_at', 'is', null),
)

/** Returns the given sessions that were neither revoked nor deleted. */
export async function findOpenSessions(db: Kysely<Schema>, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id = any(${ids}::uuid[]) and revoked_at is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Revokes a session and returns the provider's session from which it was opened. */
export async function revokeSession(db: Kysely<Schema>, id: string, now: Date): Promise<string | null> {
  const row = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .returning('provider_session')
    .executeTakeFirst()
  return row?.provider_session ?? null
}

/** The times before which rows are expired. */
type Bounds = { now: Date; sessionsBefore: Date; signedInBefore: Date; devicesBefore: Date }

/** Deletes at most `atMost` expired rows of each table; returns the largest number deleted from one table. */
export async function deleteExpired(
  trx: Transaction<Schema>,
  { now, sessionsBefore, signedInBefore, devicesBefore }: Bounds,
  atMost: number,
): Promise<number> {
  const expired: [table: string, condition: RawBuilder<unknown>][] = [
    ['identity.session', sql`"expiresAt" < ${now} or "createdAt" < ${signedInBefore}`],
    ['sessions', sql`created_at < ${sessionsBefore}`],
    ['identity.confirmations', sql`expires_at < ${now}`],
    ['identity.password_resets', sql`expires_at < ${now}`],
    ['identity.email_change_links', sql`expires_at < ${now}`],
    ['identity.second_steps', sql`expires_at < ${now}`],
    ['identity.devices', sql`seen_at < ${devicesBefore}`],
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

/** Deletes the links and state of sign-ins that name an email. */
export async function deleteVerificationsOf(trx: Transaction<Schema>, email: string): Promise<void> {
  await sql`
    delete from identity.verification where strpos(value, ${email}) > 0 or strpos(identifier, ${email}) > 0`.execute(
    trx,
  )
}
