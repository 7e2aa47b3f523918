import { sql, type Transaction } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { isFree, isOwnUpload, isUsedIn } from './access-store.ts'
import { type FileRecord, fileColumns } from './store.ts'

/** A user of a file: an entry by its text or its cover, or a project by its cover. */
export type User = { entryId: string; as: 'text' | 'cover' } | { projectId: string }

/** Returns the files that the texts of entries use, by entry. */
export async function listFilesOfEntries(db: Db, entryIds: string[]): Promise<Map<string, FileRecord[]>> {
  if (entryIds.length === 0) return new Map()
  const rows = await filesOfEntries.all(db, { entryIds })
  return Map.groupBy(rows, ({ entry_id }) => entry_id ?? '')
}

const filesOfEntries = prepared((db, { entryIds }: { entryIds: string[] }) =>
  db
    .selectFrom('file_uses as u')
    .innerJoin('files as f', 'f.id', 'u.file_id')
    .select('u.entry_id')
    .select(fileColumns.map((name) => `f.${name}` as const))
    .where('u.entry_id', '=', sql<string>`any(${entryIds}::uuid[])`)
    .where('u.used_as', '=', 'text')
    .where('f.state', '<>', 'removing'),
)

/** Returns the files that a revision shows. */
export function listFilesOfRevision(db: Db, revisionId: string) {
  return db
    .selectFrom('file_uses as u')
    .innerJoin('files as f', 'f.id', 'u.file_id')
    .select(fileColumns.map((name) => `f.${name}` as const))
    .where('u.revision_id', '=', revisionId)
    .where('u.used_as', '=', 'text')
    .execute()
}

/**
 * Replaces the files that an entry or a project uses by those of the given files that it may use: the writer's own uploads to
 * the project, files that others see in it, and files that it or its history already uses. Returns them. Call `lockFiles`
 * first.
 */
export async function replaceUses(
  trx: Transaction<Schema>,
  user: User,
  { projectId, writerId, ids }: { projectId: string; writerId: string; ids: string[] },
): Promise<string[]> {
  const own = columnsOf(user)
  const usable = await usableFiles(trx, own.entry_id ?? own.project_id, { projectId, writerId, ids })
    .orderBy('f.id')
    .execute()
  const used = usable.map(({ id }) => id)
  await moveUnused(trx, used, projectId)
  await trx
    .deleteFrom('file_uses')
    .where('entry_id', 'is not distinct from', own.entry_id)
    .where('project_id', 'is not distinct from', own.project_id)
    .where('used_as', '=', own.used_as)
    .where('file_id', '<>', sql<string>`all(${used}::uuid[])`)
    .execute()
  if (used.length > 0)
    await trx
      .insertInto('file_uses')
      .values(used.map((file_id) => ({ file_id, ...own })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return used
}

type Usable = { projectId: string; writerId: string; ids: readonly string[] }

/** Selects those of the given files that an entry (null: a new one) or a project may use, see `replaceUses`. */
function usableFiles(trx: Transaction<Schema>, userId: string | null, { projectId, writerId, ids }: Usable) {
  const isUsedAlready = sql<boolean>`exists (
    select from file_uses u left join entry_revisions r on r.id = u.revision_id
    where u.file_id = f.id and coalesce(u.entry_id, u.project_id, r.entry_id) = ${userId}::uuid
      and (r.state is null or r.state = 'published' or ${writerId} = any (r.author_ids)))`
  return trx
    .selectFrom('files as f')
    .select('f.id')
    .where('f.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('f.state', '<>', 'removing')
    .where((where) =>
      where.or([isOwnUpload(projectId, writerId), isUsedIn(projectId, writerId), isUsedAlready]),
    )
}

/** Returns the first of the given files that is a picture, and that an entry (null: a new one) may use. */
export async function findFirstPicture(
  trx: Transaction<Schema>,
  entryId: string | null,
  usable: Usable,
): Promise<string | null> {
  const row = await usableFiles(trx, entryId, usable)
    .where('f.kind', '=', 'image')
    .orderBy(sql`array_position(${usable.ids}::uuid[], f.id)`)
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Moves unused files from other projects to this one. */
async function moveUnused(trx: Transaction<Schema>, ids: string[], projectId: string): Promise<void> {
  const unused = await trx
    .selectFrom('files as f')
    .select(['f.id', 'f.project_id'])
    .where('f.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('f.project_id', '<>', projectId)
    .where(isFree)
    .execute()
  await reassignFiles(trx, unused, projectId)
}

/**
 * Moves files to a project that is locked. Skips files of a project that another transaction is changing, and of an owner
 * whose usage it has changed, because waiting for it while this project is locked could deadlock.
 */
async function reassignFiles(
  trx: Transaction<Schema>,
  files: { id: string; project_id: string | null }[],
  projectId: string,
): Promise<void> {
  if (files.length === 0) return
  const { rows: free } = await sql<{ id: string }>`
    select p.id from projects p join storage_usage s on s.user_id = p.owner_id
    where p.id = any(${files.flatMap(({ project_id }) => project_id ?? [])}::uuid[])
    for no key update skip locked`.execute(trx)
  if (free.length === 0) return
  await trx
    .updateTable('files')
    .set({ project_id: projectId })
    .where('id', '=', sql<string>`any(${files.map(({ id }) => id)}::uuid[])`)
    .where('project_id', '=', sql<string>`any(${free.map(({ id }) => id)}::uuid[])`)
    .execute()
}

/**
 * Locks the files that an entry or a project uses and will use, ordered by id to avoid deadlocks. None of them is removed
 * before the transaction ends.
 */
export async function lockFiles(
  trx: Transaction<Schema>,
  user: { entryId: string } | { projectId: string } | null,
  ids: string[],
): Promise<void> {
  const { entry_id, project_id } = user ? columnsOf({ as: 'text', ...user }) : noUser
  await sql`
    select from files
    where id = any(${ids}::uuid[])
      or id in (select file_id from file_uses where entry_id = ${entry_id}::uuid or project_id = ${project_id}::uuid)
    order by id for update`.execute(trx)
}

const noUser = { entry_id: null, project_id: null }

const columnsOf = (user: User) =>
  'entryId' in user
    ? { entry_id: user.entryId, project_id: null, used_as: user.as }
    : { entry_id: null, project_id: user.projectId, used_as: 'cover' as const }

/** Entries: one, or all of a milestone with those in the trash. */
export type EntriesOf = { entryId: string } | { milestoneId: string }

const idsOf = (of: EntriesOf) =>
  'entryId' in of
    ? sql`${of.entryId}::uuid`
    : sql`select id from entries where milestone_id = ${of.milestoneId}::uuid`

/** Moves the files that only these entries and their history use, apart from drafts, to the entries' new project. */
export async function moveFiles(trx: Transaction<Schema>, of: EntriesOf, projectId: string): Promise<void> {
  const { rows: files } = await sql<{ id: string; project_id: string | null }>`
    select f.id, f.project_id from files f
    where f.id in (
        select file_id from file_uses where entry_id in (${idsOf(of)})
        union select u.file_id from file_uses u join entry_revisions r on r.id = u.revision_id
        where r.entry_id in (${idsOf(of)}))
      and not exists (
        select from file_uses u left join entry_revisions r on r.id = u.revision_id
        where u.file_id = f.id and u.draft_id is null
          and (coalesce(u.entry_id, r.entry_id) in (${idsOf(of)})) is not true)`.execute(trx)
  await reassignFiles(trx, files, projectId)
}

/** Returns whether entries show files of a project whose owner is not that of their own project. */
export async function usesFilesOfOtherOwner(
  trx: Transaction<Schema>,
  of: EntriesOf,
  projectId: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from file_uses u join files f on f.id = u.file_id join projects p on p.id = f.project_id
      where u.entry_id in (${idsOf(of)})
        and p.owner_id <> (select owner_id from projects where id = ${projectId})) as found`.execute(trx)
  return rows[0]?.found ?? false
}

/** Records that a revision uses the files that its entry uses now. */
export async function copyUses(trx: Transaction<Schema>, entryId: string, revisionId: string): Promise<void> {
  await sql`
    insert into file_uses (file_id, revision_id, used_as)
    select file_id, ${revisionId}, used_as from file_uses where entry_id = ${entryId}`.execute(trx)
}

/** Like `copyUses`, for many entries. */
export async function copyUsesOf(
  trx: Transaction<Schema>,
  entryIds: string[],
  revisionIds: string[],
): Promise<void> {
  await sql`
    insert into file_uses (file_id, revision_id, used_as)
    select u.file_id, v.revision_id, u.used_as
    from unnest(${entryIds}::uuid[], ${revisionIds}::uuid[]) as v (entry_id, revision_id)
    join file_uses u on u.entry_id = v.entry_id`.execute(trx)
}
