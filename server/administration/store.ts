import { type Kysely, sql, type Transaction } from 'kysely'
import type { RegistrationMode } from '#contract/identity.ts'
import type { PeopleFilter } from '#contract/people.ts'
import { containing } from '#server/database/containing.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Returns the administrators' choice of who may register; undefined if they never chose. */
export function findRegistration(
  db: Db,
): Promise<{ mode: RegistrationMode; domains: string[]; version: number } | undefined> {
  return db.selectFrom('registration_settings').select(['mode', 'domains', 'version']).executeTakeFirst()
}

/** Saves a choice as the next version. */
export async function saveRegistration(
  trx: Transaction<Schema>,
  chosen: { mode: RegistrationMode; domains: string[] },
): Promise<void> {
  await trx
    .insertInto('registration_settings')
    .values(chosen)
    .onConflict((conflict) =>
      conflict.column('only_row').doUpdateSet({ ...chosen, version: sql`registration_settings.version + 1` }),
    )
    .execute()
}

/** Returns when the last whole backup was made; undefined if none was. */
export async function readLastBackup(db: Db): Promise<Date | undefined> {
  return (await db.selectFrom('last_backup').select('made_at').executeTakeFirst())?.made_at
}

/** Returns the announcement and the terms; undefined if they were never set. */
export function findTexts(db: Db) {
  return db
    .selectFrom('instance_texts')
    .select([
      'announcement',
      'announcement_id',
      'announcement_version',
      'terms',
      'terms_changed_at',
      'terms_version',
    ])
    .executeTakeFirst()
}

/** Saves the announcement or the terms as the next version. */
export async function saveText(
  trx: Transaction<Schema>,
  changed:
    | { announcement: string | null; announcement_id: string | null }
    | { terms: string | null; terms_changed_at: Date | null },
): Promise<void> {
  const version = 'terms' in changed ? 'terms_version' : 'announcement_version'
  await trx
    .insertInto('instance_texts')
    .values({ ...changed, [version]: 2 })
    .onConflict((conflict) =>
      conflict
        .column('only_row')
        .doUpdateSet({ ...changed, [version]: sql`${sql.ref(`instance_texts.${version}`)} + 1` }),
    )
    .execute()
}

/** Returns whether there are accounts. */
export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Serializes the first registrations on a server, so that only one account becomes the first. */
export async function lockFirstUser(trx: Transaction<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('milepost first account', 0))`.execute(trx)
}

/** Returns the number of accounts, and of those that await approval. */
export async function countAccounts(db: Db): Promise<{ people: number; awaiting: number }> {
  const { rows } = await sql<{ people: number; awaiting: number }>`
    select (select count(*) from users) as people,
      (select count(*) from users where awaiting_since is not null) as awaiting`.execute(db)
  return rows[0] ?? { people: 0, awaiting: 0 }
}

function people(db: Db) {
  return db
    .selectFrom('users as u')
    .leftJoin('storage_usage as s', 's.user_id', 'u.id')
    .select([
      'u.id',
      'u.subject',
      'u.name',
      'u.email',
      'u.email_verified',
      'u.is_admin',
      'u.quota_bytes',
      'u.awaiting_since',
      'u.suspended_at',
      'u.leaving_since',
      'u.last_seen_at',
      'u.created_at',
      sql<number>`coalesce(s.text_bytes + s.file_bytes, 0)`.as('bytes'),
      sql<boolean>`u.issuer = 'urn:milepost:local' and exists (
        select from identity.two_factor t where t.user_id::text = u.subject and t.enabled_at is not null)`.as(
        'has_two_factor',
      ),
    ])
}

export type PersonRecord = Awaited<ReturnType<typeof listPeopleBefore>>[number]

const conditions = {
  all: sql<boolean>`true`,
  awaiting: sql<boolean>`u.awaiting_since is not null`,
  suspended: sql<boolean>`u.suspended_at is not null`,
  administrators: sql<boolean>`u.is_admin`,
} satisfies Record<PeopleFilter, unknown>

type PeopleQuery = {
  search: string | undefined
  filter: PeopleFilter
  before: string | undefined
  limit: number
}

/** Returns accounts, newest first: their ids are in the order of creation. */
export function listPeopleBefore(db: Db, { search, filter, before, limit }: PeopleQuery) {
  return people(db)
    .where(conditions[filter])
    .$if(before !== undefined, (query) => query.where('u.id', '<', before ?? ''))
    .$if(search !== undefined && search !== '', (query) =>
      query.where(sql<boolean>`searchable(u.name || ' ' || u.email) like ${containing(search ?? '')}`),
    )
    .orderBy('u.id', 'desc')
    .limit(limit)
    .execute()
}

export function findPerson(db: Db, id: string): Promise<PersonRecord | undefined> {
  return people(db).where('u.id', '=', id).executeTakeFirst()
}

/** Locks an account, so that it does not change between a check and an update. */
export async function lockPerson(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Returns the provider's session from which a session was opened; null if a hosted provider manages it. */
export async function findOwnSession(trx: Transaction<Schema>, id: string): Promise<string | null> {
  const row = await trx
    .selectFrom('sessions')
    .select('provider_session')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.provider_session ?? null
}

export async function setAdministrator(trx: Transaction<Schema>, id: string, isAdmin: boolean) {
  await trx.updateTable('users').set({ is_admin: isAdmin }).where('id', '=', id).execute()
}

/** Sets a quota in bytes; null restores the default. */
export async function setQuota(trx: Transaction<Schema>, id: string, quota: number | null) {
  await trx.updateTable('users').set({ quota_bytes: quota }).where('id', '=', id).execute()
}

export async function setSuspended(trx: Transaction<Schema>, id: string, since: Date | null) {
  await trx.updateTable('users').set({ suspended_at: since }).where('id', '=', id).execute()
}

export async function setApproved(trx: Transaction<Schema>, id: string) {
  await trx.updateTable('users').set({ awaiting_since: null }).where('id', '=', id).execute()
}

/** Locks and returns the accounts with an email. There are several only if an issuer has several accounts with it. */
export function lockAccountsWith(
  trx: Transaction<Schema>,
  { email, issuer }: { email: string; issuer: string },
): Promise<{ id: string; subject: string }[]> {
  return trx
    .selectFrom('users')
    .select(['id', 'subject'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('issuer', '=', issuer)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Returns whether there are accounts, but no administrator among them. */
export async function lacksAdministrator(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`
    select exists (select from users) and not exists (select from users where is_admin) as lacks`.execute(db)
  return rows[0]?.lacks ?? false
}
