import { type Kysely, sql, type Transaction } from 'kysely'
import { FORMER_MEMBER } from '#contract/account.ts'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import { datesOf } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'

/** Returns the projects that a user owns and that have other members, each with one of these members. */
export function listSharedWith(db: Kysely<Schema>, ownerId: string) {
  return db
    .selectFrom('live_projects as p')
    .innerJoin('collaborators as c', 'c.project_id', 'p.id')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select(['p.id as project_id', 'p.title', 'c.id', 'u.name'])
    .select(sql<boolean>`u.leaving_since is null and u.suspended_at is null`.as('is_staying'))
    .where('p.owner_id', '=', ownerId)
    .where('c.status', '=', 'accepted')
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id')
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute()
}

export async function countLiveProjects(db: Kysely<Schema>, ownerId: string): Promise<number> {
  const { total } = await db
    .selectFrom('live_projects')
    .select((q) => q.fn.countAll<number>().as('total'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return total
}

/** Marks an account for deletion; returns false if it was already marked. */
export async function markLeaving(trx: Transaction<Schema>, userId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ leaving_since: now })
    .where('id', '=', userId)
    .where('leaving_since', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns whether another account exists that is not being deleted. */
export async function hasOthers(trx: Transaction<Schema>, userId: string): Promise<boolean> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '<>', userId)
    .where('leaving_since', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Locks and returns the live projects of an owner. */
export function lockLiveProjects(trx: Transaction<Schema>, ownerId: string) {
  return trx
    .selectFrom('projects')
    .select(['id', 'title'])
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Returns all projects of an owner, including those in the trash. */
export async function listOwned(db: Kysely<Schema>, ownerId: string): Promise<string[]> {
  const rows = await db.selectFrom('projects').select('id').where('owner_id', '=', ownerId).execute()
  return rows.map(({ id }) => id)
}

/** The local provider's user of an account. Accounts of other providers have none. */
const providerUser = (userId: string) => sql`(
  select i.id from identity."user" i join users u on u.subject = i.id::text
  where u.id = ${userId} and u.issuer = 'urn:milepost:local')`

/** Deletes all sessions and access tokens of an account, and the links that could change its password or email. */
export async function deleteAllAccess(trx: Transaction<Schema>, userId: string): Promise<void> {
  await sql`
    delete from identity.password_resets
    where email = (select email from identity."user" where id = ${providerUser(userId)})`.execute(trx)
  await sql`delete from identity.email_change_links where user_id = ${providerUser(userId)}`.execute(trx)
  await sql`delete from identity.second_steps where user_id = ${providerUser(userId)}`.execute(trx)
  await sql`delete from identity.session where "userId" = ${providerUser(userId)}`.execute(trx)
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await trx.deleteFrom('access_tokens').where('user_id', '=', userId).execute()
}

/** Returns the email of an account that is being deleted, and when its deletion was requested. */
export async function findLeaving(
  db: Kysely<Schema>,
  userId: string,
): Promise<{ email: string; since: Date; dates: DatePreferences } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['email', 'leaving_since', 'time_zone', 'date_format'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.leaving_since ? { email: row.email, since: row.leaving_since, dates: datesOf(row) } : undefined
}

/** Returns the next account that is due for deletion. */
export function findDueAccount(db: Kysely<Schema>, before: Date) {
  return db
    .selectFrom('users')
    .select('id')
    .where('leaving_since', '<=', before)
    .orderBy('leaving_since')
    .limit(1)
    .executeTakeFirst()
}

export type DueAccount = { id: string; name: string; email: string; email_verified: boolean }

/** Locks and returns an account that is due for deletion; undefined if its owner kept it or another process deletes it. */
export function lockDueAccount(
  trx: Transaction<Schema>,
  id: string,
  before: Date,
): Promise<DueAccount | undefined> {
  return trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'email_verified'])
    .where('id', '=', id)
    .where('leaving_since', '<=', before)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Returns the projects of others in which a user is a member or has written. */
export async function listProjectsOfOthers(trx: Transaction<Schema>, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select project_id as id from collaborators where user_id = ${userId}
    union
    select m.project_id from entries e join milestones m on m.id = e.milestone_id where e.author_id = ${userId}`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}

/** Replaces a user's name by "Former member". The triggers of the deletion copy it to rows that refer to the account. */
export async function anonymizeName(trx: Transaction<Schema>, userId: string): Promise<void> {
  await sql`update users set name = ${FORMER_MEMBER} where id = ${userId}`.execute(trx)
}

/** What an account wrote may be in very many rows. */
export async function allowLongStatements(trx: Transaction<Schema>): Promise<void> {
  await sql`set local statement_timeout = '20min'`.execute(trx)
}

/** Returns the former emails of an account. */
export async function listFormerEmails(trx: Transaction<Schema>, userId: string): Promise<string[]> {
  const rows = await trx.selectFrom('former_emails').select('email').where('user_id', '=', userId).execute()
  return rows.map(({ email }) => email)
}

/** Removes an email from the mail server responses of completed jobs. */
export async function anonymizeJobs(trx: Transaction<Schema>, email: string): Promise<void> {
  const { rows } = await sql<{ jobs: string | null }>`select to_regclass('jobs.job')::text as jobs`.execute(
    trx,
  )
  if (rows[0]?.jobs)
    await sql`update jobs.job set output = null where strpos(lower(output::text), lower(${email})) > 0`.execute(
      trx,
    )
}

/** Deletes an account with its sign-ins, sessions, drafts, memberships and notifications. */
export async function deleteUser(trx: Transaction<Schema>, userId: string): Promise<void> {
  await deleteAllAccess(trx, userId)
  await sql`delete from identity."user" where id = ${providerUser(userId)}`.execute(trx)
  await trx.deleteFrom('users').where('id', '=', userId).execute()
}
