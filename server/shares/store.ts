import { sql, type Transaction } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { shownByLink } from '#server/database/shown-by-link.ts'
import { withChange } from '#server/platform/changes/changes.ts'

export type ShareLinkRecord = NonNullable<Awaited<ReturnType<typeof findLink>>>

type LinkRef = { projectId: string; linkId: string }

const linkedEntry = (column: 'l.entry_id' | 'l.from_entry_id') => sql<{
  _id: string
  title: string | null
} | null>`case when ${sql.ref(column)} is not null then json_build_object('_id', ${sql.ref(column)}, 'title', (
  select e.title from live_entries e join live_milestones m on m.id = e.milestone_id
  where e.id = ${sql.ref(column)} and m.project_id = l.project_id)) end`

const selectLinks = (db: Db) =>
  db
    .selectFrom('share_links as l')
    .leftJoin('followers as f', 'f.link_id', 'l.id')
    .select(['l.id', 'l.name', 'l.from_day', 'l.expires_at', 'l.last_used_on', 'l.created_at', 'l.changes'])
    .select(['l.is_person', 'f.email', sql<boolean>`f.confirmed_at is not null`.as('is_confirmed')])
    .select(sql<boolean>`l.password_hash is not null`.as('has_password'))
    .select(linkedEntry('l.entry_id').as('entry'))
    .select(linkedEntry('l.from_entry_id').as('from_entry'))

/** Returns the links of a project, newest first. */
export function listLinksOf(db: Db, projectId: string) {
  return selectLinks(db)
    .where('l.project_id', '=', projectId)
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .execute()
}

export function findLink(db: Db, { projectId, linkId }: LinkRef) {
  return selectLinks(db).where('l.id', '=', linkId).where('l.project_id', '=', projectId).executeTakeFirst()
}

/** Returns a link that this account has created. */
export function findLinkOfMaker(db: Db, { projectId, linkId }: LinkRef, makerId: string) {
  return selectLinks(db)
    .where('l.id', '=', linkId)
    .where('l.project_id', '=', projectId)
    .where('l.created_by', '=', makerId)
    .executeTakeFirst()
}

/** Counts the links of a project that belong to people of its circle, or the others. */
export async function countLinks(db: Db, projectId: string, ofCircle: boolean): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from share_links
    where project_id = ${projectId} and is_person = ${ofCircle}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns whether readers of the project see the entry. */
export async function isLiveEntryOf(db: Db, projectId: string, entryId: string): Promise<boolean> {
  const { rows } = await sql`
    select from live_entries e join live_milestones m on m.id = e.milestone_id
    where e.id = ${entryId} and m.project_id = ${projectId}`.execute(db)
  return rows.length > 0
}

type Values = {
  id: string
  projectId: string
  name: string
  entry: string | null
  fromEntry: string | null
  fromDay: string | null
  tokenHash: Buffer
  passwordHash: string | null
  expiresAt: Date | null
  createdBy: string
  isPerson: boolean
  changes: string[]
  now: Date
}

/** Inserts a link. Returns whether its id was free. */
export async function insertLink(trx: Transaction<Schema>, v: Values): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted = 0n } = await trx
    .insertInto('share_links')
    .values({
      id: v.id,
      project_id: v.projectId,
      entry_id: v.entry,
      from_entry_id: v.fromEntry,
      from_day: v.fromDay,
      name: v.name,
      token_hash: v.tokenHash,
      password_hash: v.passwordHash,
      expires_at: v.expiresAt,
      created_by: v.createdBy,
      is_person: v.isPerson,
      changes: v.changes,
      created_at: v.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return inserted > 0n
}

type Changed = { name?: string; passwordHash?: string | null; expiresAt?: Date | null; tokenHash?: Buffer }

/** Changes the given columns. Returns whether there is such a link. */
export async function changeLink(
  trx: Transaction<Schema>,
  { projectId, linkId }: LinkRef,
  { name, passwordHash, expiresAt, tokenHash }: Changed,
  change: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('share_links')
    .set({
      ...(name !== undefined && { name }),
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(tokenHash !== undefined && { token_hash: tokenHash, last_used_on: null }),
      changes: withChange(change),
    })
    .where('id', '=', linkId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a link. Returns its name; undefined if there is none. */
export async function deleteLink(
  trx: Transaction<Schema>,
  { projectId, linkId }: LinkRef,
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('share_links')
    .where('id', '=', linkId)
    .where('project_id', '=', projectId)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** A link that has not ended, of a project that is not in the trash. */
export type OpenLink = {
  id: string
  project_id: string
  entry_id: string | null
  token_hash: Buffer
  password_hash: string | null
  used_today: boolean
}

const openLinks = (isWanted: ReturnType<typeof sql<boolean>>) => sql<OpenLink>`
  select l.id, l.project_id, l.entry_id, l.token_hash, l.password_hash,
    l.last_used_on is not distinct from (now() at time zone 'UTC')::date as used_today
  from share_links l join live_projects p on p.id = l.project_id
  where ${isWanted} and (l.expires_at is null or l.expires_at > now())`

export function findOpenLink(db: Db, linkId: string): Promise<OpenLink | undefined> {
  return openLinkById.first(db, { linkId })
}

const openLinkById = prepared((db, { linkId }: { linkId: string }) => ({
  compile: () => openLinks(sql`l.id = ${linkId}`).compile(db),
}))

export function findOpenLinkByToken(db: Db, tokenHash: Buffer): Promise<OpenLink | undefined> {
  return openLinkByToken.first(db, { tokenHash })
}

const openLinkByToken = prepared((db, { tokenHash }: { tokenHash: Buffer }) => ({
  compile: () => openLinks(sql`l.token_hash = ${tokenHash}`).compile(db),
}))

/** Notes that the link was used today. */
export async function noteUse(db: Db, linkId: string): Promise<void> {
  await sql`
    update share_links set last_used_on = (now() at time zone 'UTC')::date
    where id = ${linkId} and last_used_on is distinct from (now() at time zone 'UTC')::date`.execute(db)
}

/** Returns whether a link shows something that uses the file. */
export async function isShownByLink(db: Db, linkId: string, fileId: string): Promise<boolean> {
  return (await shownFile.first(db, { linkId, fileId })) !== undefined
}

const shownFile = prepared((db, { linkId, fileId }: { linkId: string; fileId: string }) => ({
  compile: () =>
    sql<{ file_id: string }>`
      with ${shownByLink(linkId)}
      select u.file_id from file_uses u
      join live_entries e on e.id = u.entry_id join live_milestones m on m.id = e.milestone_id
      where u.file_id = ${fileId}
      union all
      select u.file_id from file_uses u join public_projects p on p.id = u.project_id
      where u.file_id = ${fileId} and u.file_id = p.cover_file_id
      limit 1`.compile(db),
}))
