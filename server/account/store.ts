import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { DateFormat } from '#contract/parts/date-formats.ts'
import { pictureOf } from '#server/database/people.ts'
import type { UserRow } from '#server/database/rows/account.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { Caller } from '#server/platform/api/calls.ts'

export type AccountRecord = Selectable<
  Pick<
    UserRow,
    | 'id'
    | 'subject'
    | 'name'
    | 'email'
    | 'email_verified'
    | 'photo_url'
    | 'is_admin'
    | 'muted_notifications'
    | 'muted_emails'
    | 'news_hour'
    | 'mails_mentions'
    | 'time_zone'
    | 'date_format'
  >
> & { picture_id: string | null }

/** `provider_session`: the provider's session from which the caller's was opened; null if a hosted provider manages it. */
export type SessionAccount = AccountRecord & { provider_session: string | null }

/** Returns the account of a session. */
export function findAccount(db: Kysely<Schema>, caller: Caller): Promise<SessionAccount | undefined> {
  return accountOf(db, caller.userId)
    .innerJoin('sessions as s', 's.user_id', 'u.id')
    .select('s.provider_session')
    .where('s.id', '=', caller.sessionId)
    .executeTakeFirst()
}

/** Returns an account, whether or not its person is signed in. */
export function findAccountOf(db: Kysely<Schema>, userId: string) {
  return accountOf(db, userId).executeTakeFirst()
}

const accountOf = (db: Kysely<Schema>, userId: string) =>
  db
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.subject',
      'u.name',
      'u.email',
      'u.email_verified',
      'u.photo_url',
      'u.is_admin',
      'u.muted_notifications',
      'u.muted_emails',
      'u.news_hour',
      'u.mails_mentions',
      'u.time_zone',
      'u.date_format',
      pictureOf('u.id').as('picture_id'),
    ])
    .where('u.id', '=', userId)

export async function updateName(
  db: Kysely<Schema>,
  { userId, name, now }: { userId: string; name: string; now: Date },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ name, named_at: now, updated_at: now })
    .where('id', '=', userId)
    .execute()
}

type MutingChange = {
  [field in 'muted' | 'unmuted' | 'mutedEmails' | 'unmutedEmails']?: string[] | undefined
}

/** Mutes and unmutes kinds of notifications for a user. Other kinds, which may be changing concurrently, are not affected. */
export async function updateMuted(
  db: Kysely<Schema>,
  userId: string,
  { muted, unmuted, mutedEmails, unmutedEmails }: MutingChange,
): Promise<void> {
  await sql`
    update users set
      muted_notifications = ${changed('muted_notifications', muted, unmuted)},
      muted_emails = ${changed('muted_emails', mutedEmails, unmutedEmails)}
    where id = ${userId}`.execute(db)
}

/** Changes the emails with news; undefined fields remain unchanged. What waits for an email that is no longer wanted stays in Milepost. */
export async function updateNewsEmails(
  db: Kysely<Schema>,
  userId: string,
  {
    newsHour,
    emailsMentions,
  }: { newsHour?: number | null | undefined; emailsMentions?: boolean | undefined },
): Promise<void> {
  if (newsHour === undefined && emailsMentions === undefined) return
  await db
    .updateTable('users')
    .set({
      ...(newsHour !== undefined && { news_hour: newsHour }),
      ...(emailsMentions !== undefined && { mails_mentions: emailsMentions }),
    })
    .where('id', '=', userId)
    .execute()
  for (const [kind, isStopped] of [
    ['daily', newsHour === null] as const,
    ['mention', emailsMentions === false] as const,
  ])
    if (isStopped)
      await db
        .updateTable('notifications')
        .set({ mail: null })
        .where('user_id', '=', userId)
        .where('mail', '=', kind)
        .execute()
}

const changed = (column: string, added: string[] = [], removed: string[] = []) => sql`array(
  select kind from unnest(${sql.ref(column)} || ${added}::text[]) with ordinality as kinds (kind, position)
  where kind <> all(${removed}::text[])
  group by kind order by min(position))`

/** Changes the date settings of a user; undefined fields remain unchanged. */
export async function updateDates(
  db: Kysely<Schema>,
  userId: string,
  {
    timeZone,
    dateFormat,
  }: { timeZone?: string | null | undefined; dateFormat?: DateFormat | null | undefined },
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      ...(timeZone !== undefined && { time_zone: timeZone }),
      ...(dateFormat !== undefined && { date_format: dateFormat }),
    })
    .where('id', '=', userId)
    .execute()
}

export type SessionRecord = {
  id: string
  user_agent: string | null
  created_at: Date
  last_used_at: Date
  is_current: boolean
}

/** The provider's session from which the caller's was opened; null if a hosted provider manages it. */
const ownSession = ({ sessionId }: Caller) =>
  sql`(select provider_session from sessions where id = ${sessionId})`

/** The caller's user at the provider; null if a hosted provider manages it. */
const providerUser = (caller: Caller) =>
  sql`(select "userId" from identity.session where id = ${ownSession(caller)})`

/** Returns the sessions of the caller: the current one, then the others by their latest use. */
export async function findSessions(
  db: Kysely<Schema>,
  caller: Caller,
  { now, limit }: { now: Date; limit: number },
): Promise<SessionRecord[]> {
  const { rows } = await sql<SessionRecord>`
    select id, "userAgent" as user_agent, "createdAt" as created_at,
      coalesce("lastUsedAt", "updatedAt") as last_used_at,
      id = ${ownSession(caller)} as is_current
    from identity.session
    where "userId" = ${providerUser(caller)} and "expiresAt" > ${now}
    order by is_current desc, last_used_at desc, id
    limit ${limit}`.execute(db)
  return rows
}

/** Deletes a session of the caller; returns false if it is not theirs. */
export async function deleteSession(db: Kysely<Schema>, caller: Caller, id: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from identity.session where id = ${id} and "userId" = ${providerUser(caller)}`.execute(db)
  return numAffectedRows > 0n
}

/** Deletes every session of the caller except this one. */
export async function deleteOtherSessions(db: Kysely<Schema>, caller: Caller): Promise<void> {
  await sql`
    delete from identity.session
    where "userId" = ${providerUser(caller)} and id <> ${ownSession(caller)}`.execute(db)
}

/** Replaces the picture of a user. Returns the size of the former one in bytes. */
export async function savePicture(
  trx: Transaction<Schema>,
  { userId, id, bytes }: { userId: string; id: string; bytes: Uint8Array },
): Promise<{ before: number }> {
  // So that the second of two concurrent uploads sees the first.
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const former = await trx
    .selectFrom('profile_pictures')
    .select(sql<number>`octet_length(bytes)`.as('length'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const row = { id, bytes: Buffer.from(bytes) }
  await trx
    .insertInto('profile_pictures')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
  return { before: former?.length ?? 0 }
}

export async function deletePicture(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('profile_pictures').where('user_id', '=', userId).execute()
}

/** Returns the bytes of a picture; undefined if it was replaced or removed. */
export async function findPicture(db: Db, id: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('profile_pictures').select('bytes').where('id', '=', id).executeTakeFirst()
  return row?.bytes
}
