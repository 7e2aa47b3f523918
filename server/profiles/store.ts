import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Returns the page of an account; undefined if it was never changed. */
export function findProfile(db: Db, userId: string) {
  return db
    .selectFrom('profiles')
    .select(['name', 'about', 'is_on'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Returns the names of an account, the latest first. */
export function listNames(db: Db, userId: string) {
  return db
    .selectFrom('profile_names')
    .select('name')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .execute()
}

/** Creates the page of an account, unless it has one, and locks it. */
export async function lockProfile(trx: Transaction<Schema>, userId: string) {
  await trx
    .insertInto('profiles')
    .values({ user_id: userId, name: null, about: '', is_on: false })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  return trx
    .selectFrom('profiles')
    .select(['name', 'about', 'is_on'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function saveProfile(
  trx: Transaction<Schema>,
  userId: string,
  profile: { name: string | null; about: string; is_on: boolean },
): Promise<void> {
  await trx.updateTable('profiles').set(profile).where('user_id', '=', userId).execute()
}

/** Makes a name one of an account's. Returns whether it is neither another account's nor one of a deleted account. */
export async function takeName(
  trx: Transaction<Schema>,
  { userId, name, now }: { userId: string; name: string; now: Date },
): Promise<boolean> {
  await trx
    .insertInto('profile_names')
    .values({ name, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  // Read afterwards: the insertion has waited for a deletion of the account that had the name.
  const { rows } = await sql<{ is_own: boolean }>`
    select user_id = ${userId} and not exists (
      select from retired_profile_names where digest = ${digestOf(name)}) as is_own
    from profile_names where name = ${name}`.execute(trx)
  return rows[0]?.is_own ?? false
}

/** Keeps the names of an account that is being deleted from everybody else, without saying whose they were. */
export async function retireNames(trx: Transaction<Schema>, userId: string): Promise<void> {
  const names = await listNames(trx, userId)
  if (names.length === 0) return
  await trx
    .insertInto('retired_profile_names')
    .values(names.map(({ name }) => ({ digest: digestOf(name) })))
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .execute()
}

const digestOf = (name: string) => createHash('sha256').update(name).digest()

/** The page that a name leads to: its current name, and a text that changes with anything on it. */
export type ProfileVersion = { asked: string; name: string; version: string }

/** Returns the pages that are on, by the current or former names that were asked for. */
export async function findProfileVersions(
  db: Db,
  names: readonly string[],
): Promise<Map<string, ProfileVersion>> {
  const rows = await profileVersions.all(db, { names })
  return new Map(rows.map((row) => [row.asked, row]))
}

/** Runs for every request. The revision of a project rises with every change in it. */
const profileVersions = prepared((db, { names }: { names: readonly string[] }) => ({
  compile: () =>
    sql<ProfileVersion>`
      select n.name as asked, p.name, md5(json_build_array(p.name, p.display_name, p.about, ${picture}, (
        select json_agg(json_build_array(x.id, x.revision) order by x.id) from public_projects x
        where x.owner_id = p.user_id and x.visibility = 'public'))::text) as version
      from profile_names n join public_profiles p on p.user_id = n.user_id
      where n.name = any(${names}::text[])`.compile(db),
}))

const picture = sql`(select pp.id from profile_pictures pp where pp.user_id = p.user_id)`

export type ShownProfileRecord = {
  user_id: string
  name: string
  about: string
  display_name: string
  picture: string | null
  project_count: number
  changed_at: Date
}

/** Returns a page that is on, by its current name. */
export function findShownProfile(db: Db, name: string): Promise<ShownProfileRecord | undefined> {
  return shownProfile.first(db, { name })
}

const shownProfile = prepared((db, { name }: { name: string }) => ({
  compile: () =>
    sql<ShownProfileRecord>`
      select p.*, ${picture} as picture, x.project_count, x.changed_at
      from public_profiles p cross join lateral (
        select count(*)::int as project_count, coalesce(max(coalesce(changed_at, updated_at)), 'epoch') as changed_at
        from public_projects where owner_id = p.user_id and visibility = 'public') x
      where p.name = ${name}`.compile(db),
}))

/** Returns the ids and titles of an owner's public and listed projects. */
export function listListedTitles(db: Db, ownerId: string) {
  return db
    .selectFrom('public_projects')
    .select(['id', 'title'])
    .where('owner_id', '=', ownerId)
    .where('visibility', '=', 'public')
    .execute()
}

type PageRange = { limit: number; offset: number }

/** Returns the names of the pages that are on and list a project, in order. */
export async function listShownNames(db: Db, { limit, offset }: PageRange): Promise<string[]> {
  const rows = await shownPages(db)
    .select('p.name')
    .orderBy('p.user_id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ name }) => name)
}

/** Counts them. */
export async function countShown(db: Db): Promise<number> {
  const { count } = await shownPages(db)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const shownPages = (db: Db) =>
  db
    .selectFrom('public_profiles as p')
    .where((where) =>
      where.exists(
        where
          .selectFrom('public_projects as x')
          .select('x.id')
          .whereRef('x.owner_id', '=', 'p.user_id')
          .where('x.visibility', '=', 'public'),
      ),
    )
