import { sql, type Transaction } from 'kysely'
import { FORMER_MEMBER } from '#contract/account.ts'
import { prepared } from '#server/database/prepared.ts'
import type { EntryRevisionRow } from '#server/database/rows/history.ts'
import type { Db, Schema } from '#server/database/rows.ts'

const columns = [
  'id',
  'version',
  'created_at',
  'name',
  'cause',
  'state',
  'title',
  'word_count',
  'superseded',
] as const

/** The authors of the revision `r`: their current names, or the recorded names of deleted accounts. */
export const authors = sql<string[]>`array(
  select coalesce(u.name, a.name) from unnest(r.author_ids, r.author_names) with ordinality as a (id, name, place)
  left join users u on u.id = a.id order by a.place)`.as('authors')

export type RevisionRecord = NonNullable<Awaited<ReturnType<typeof findRevision>>>
export type ListedRevision = Awaited<ReturnType<typeof listRevisionRows>>[number]

type EntryQuery = { milestoneId: string; entryId: string; reader: string }

/** Returns the version of an entry of the milestone that the reader sees, and whether they are its author. */
export function findEntryOfHistory(db: Db, entry: EntryQuery) {
  return entryOf.first(db, entry)
}

const entryOf = prepared((db, { milestoneId, entryId, reader }: EntryQuery) =>
  db
    .selectFrom('entries_and_drafts')
    .select(['version', 'state', sql<boolean>`coalesce(author_id = ${reader}::uuid, false)`.as('isAuthor')])
    .where('id', '=', entryId)
    .where('milestone_id', '=', milestoneId)
    .where(sql<boolean>`(state = 'published' or author_id = ${reader}::uuid)`),
)

/** A page of revisions. `withDrafts`: for the author, who also sees revisions from when the entry was a draft. */
type PageQuery = { entryId: string; withDrafts: boolean; before: number; limit: number }

/** Returns the revisions before a version, newest first, without superseded ones. */
export function listRevisionRows(db: Db, query: PageQuery) {
  return listed.all(db, query)
}

const listed = prepared((db, { entryId, withDrafts, before, limit }: PageQuery) =>
  db
    .selectFrom('entry_revisions as r')
    .select(columns)
    .select(authors)
    .where('entry_id', '=', entryId)
    .where('version', '<', before)
    .where(sql<boolean>`not superseded`)
    .where(sql<boolean>`(state = 'published' or ${withDrafts}::boolean)`)
    .orderBy('version', 'desc')
    .limit(limit),
)

type Of = { entryId: string; withDrafts: boolean }

/** Returns the revision with the content of a version, if it still exists. */
export function findRevisionOfVersion(db: Db, { entryId, withDrafts, version }: Of & { version: number }) {
  return db
    .selectFrom('entry_revisions as r')
    .select(columns)
    .select(authors)
    .where('entry_id', '=', entryId)
    .where('version', '>=', version)
    .where('first_version', '<=', version)
    .where(sql<boolean>`(state = 'published' or ${withDrafts}::boolean)`)
    .limit(1)
    .executeTakeFirst()
}

/** Returns a revision of an entry with its content. */
export function findRevision(db: Db, { entryId, withDrafts, revisionId }: Of & { revisionId: string }) {
  return db
    .selectFrom('entry_revisions as r')
    .select(columns)
    .select(authors)
    .select(['content', 'tags', 'happened_at', 'happened_on', 'happened_zone', 'cover_file_id', 'no_cover'])
    .where('id', '=', revisionId)
    .where('entry_id', '=', entryId)
    .where(sql<boolean>`(state = 'published' or ${withDrafts}::boolean)`)
    .executeTakeFirst()
}

/** Sets or removes the name of a revision. */
export async function nameRevisionRow(
  trx: Transaction<Schema>,
  id: string,
  name: string | null,
): Promise<void> {
  await trx.updateTable('entry_revisions').set({ name }).where('id', '=', id).execute()
}

/** What a save has to know of the latest revision of an entry. */
const LATEST = [
  'id',
  'version',
  'name',
  'cause',
  'state',
  'author_ids',
  'author_names',
  'bytes',
  'begun_at',
] as const

/** The latest revision of the entry `e` as JSON, in a statement that reads the entry for its next save; null if there is none. */
export const latestPart = sql<string | null>`(
  select to_json(r)::text from (
    select ${sql.join(LATEST.map((name) => sql.ref(name)))} from entry_revisions where entry_id = e.id
    order by version desc limit 1) r)`

/** Returns the revision that `latestPart` has read. */
export function latestOf(json: string | null): LatestRevision | null {
  if (json === null) return null
  const { begun_at: begunAt, ...rest } = JSON.parse(json) as Omit<LatestRevision, 'begun_at'> & {
    begun_at: string
  }
  return { ...rest, begun_at: new Date(begunAt) }
}

/** Returns the latest revision of an entry, for the next save; undefined if there is none. */
export function findLatest(trx: Transaction<Schema>, entryId: string) {
  return latest.first(trx, { entryId })
}

export type LatestRevision = NonNullable<Awaited<ReturnType<typeof findLatest>>>

const latest = prepared((db, { entryId }: { entryId: string }) =>
  db
    .selectFrom('entry_revisions')
    .select(LATEST)
    .where('entry_id', '=', entryId)
    .orderBy('version', 'desc')
    .limit(sql.lit(1)),
)

/** What a save of an entry does to its history, besides the columns that both tables share. */
export type RevisionValues = {
  /** The new revision; null: none. */
  revision: string | null
  cause: EntryRevisionRow['cause']
  words: number | null
  revisionBytes: number
  begunAt: Date
  authorIds: string[]
  authorNames: string[]
  /** Appended to the authors under their current name. */
  writer: string
  /** The revision that the new one supersedes. */
  supersedes: string | null
  /** The revision of the former version, if the content is the same. */
  extends: string | null
  now: Date
}

/** The parts of the statement that saves an entry, which add to its history the row that the part `entry` returns. */
export const revisionParts = {
  superseded: (v: RevisionValues) => sql<never>`
    update entry_revisions set superseded = true where id = ${v.supersedes}::uuid`,

  extended: (v: RevisionValues) => sql<never>`
    update entry_revisions set version = version + 1 where id = ${v.extends}::uuid`,

  revision: (v: RevisionValues) => sql<never>`
    insert into entry_revisions (id, entry_id, first_version, version, title, content, tags, happened_at, happened_on,
      happened_zone, cover_file_id, no_cover, state, word_count, author_ids, author_names, cause, bytes, begun_at, created_at)
    select ${v.revision}::uuid, e.id, e.version, e.version, e.title, e.content, e.tags, e.happened_at, e.happened_on,
      e.happened_zone, e.cover_file_id, e.no_cover, e.state, ${v.words}::integer, ${v.authorIds}::uuid[] || ${v.writer}::uuid,
      ${v.authorNames}::text[] || coalesce((select name from users where id = ${v.writer}::uuid), ''),
      ${v.cause}::text, ${v.revisionBytes}::integer, ${v.begunAt}::timestamptz, ${v.now}::timestamptz
    from entry e where ${v.revision}::uuid is not null`,
}

/** The id of no account. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Inserts the current content as the revision of the entry's current version, by the author of the entry. */
export async function insertCurrent(
  trx: Transaction<Schema>,
  { id, entryId, bytes }: { id: string; entryId: string; bytes: number },
): Promise<void> {
  await sql`
    insert into entry_revisions (id, entry_id, first_version, version, title, content, tags, happened_at, happened_on,
      happened_zone, cover_file_id, no_cover, state, word_count, author_ids, author_names, cause, bytes, begun_at, created_at)
    select ${id}, e.id, e.version, e.version, e.title, e.content, e.tags, e.happened_at, e.happened_on,
      e.happened_zone, e.cover_file_id, e.no_cover, e.state,
      (select r.word_count from entry_renderings r where r.entry_id = e.id and r.entry_version = e.version),
      case when e.author_name is null then '{}' else array[coalesce(e.author_id, ${NOBODY}::uuid)] end,
      case when e.author_name is null then '{}' else array[e.author_name] end,
      'save', ${bytes}::integer, e.updated_at, e.updated_at
    from entries_and_drafts e where e.id = ${entryId}`.execute(trx)
}

/** Whether the revision `r` is the base of an autosaved draft, and therefore needed for a merge. */
export const isBaseOfDraft = sql<boolean>`exists (
  select from entry_drafts d where d.entry_id = r.entry_id and d.base_version between r.first_version and r.version)`

/**
 * Deletes revisions of an entry until `bytes` are free or none can be deleted: superseded ones first, then the oldest. Named
 * revisions and the current one remain. Returns the number of deleted bytes.
 */
export async function deleteToFree(
  trx: Transaction<Schema>,
  entryId: string,
  bytes: number,
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    delete from entry_revisions where id in (
      select id from (
        select r.id, sum(r.bytes) over (order by r.superseded desc, r.version) - r.bytes as freed
        from entry_revisions r join entries_and_drafts e on e.id = r.entry_id
        where r.entry_id = ${entryId} and r.version < e.version and r.name is null and not ${isBaseOfDraft}
      ) deletable where freed < ${bytes}::bigint)
    returning bytes`.execute(trx)
  return rows.reduce((sum, row) => sum + row.bytes, 0)
}

/** Replaces an author's name in all revisions. */
export async function forgetAuthor(trx: Transaction<Schema>, userId: string): Promise<void> {
  await sql`
    update entry_revisions set author_names = array(
      select case when author_id = ${userId} then ${FORMER_MEMBER} else author_name end
      from unnest(author_ids, author_names) with ordinality as a (author_id, author_name, position)
      order by position)
    where ${userId}::uuid = any(author_ids)`.execute(trx)
}
