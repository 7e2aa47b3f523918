import { type Kysely, sql, type Transaction } from 'kysely'
import { backupRuns } from '#server/database/backup-lock.ts'
import type { Db, FileRow, Schema } from '#server/database/rows.ts'

const columns = [
  'id',
  'project_id',
  'uploader_id',
  'name',
  'kind',
  'type',
  'size',
  'state',
  'width',
  'height',
  'animated',
  'taken_at',
  'blur',
  'widths',
  'attempt',
] as const

export type FileRecord = NonNullable<Awaited<ReturnType<typeof findFile>>>

export type NewFile = Pick<FileRow, 'id' | 'name' | 'kind' | 'type' | 'size'>

/** Reserves files, unused so far. */
export function insertFiles(
  trx: Transaction<Schema>,
  { projectId, uploaderId, now }: { projectId: string; uploaderId: string; now: Date },
  files: NewFile[],
) {
  return trx
    .insertInto('files')
    .values(
      files.map((file) => ({
        ...file,
        bytes: file.size,
        project_id: projectId,
        uploader_id: uploaderId,
        unused_since: sql`now()`,
        created_at: now,
      })),
    )
    .returning(columns)
    .execute()
}

/** How many files a person has reserved and not uploaded. */
export async function countWaiting(db: Db, uploaderId: string): Promise<number> {
  const { waiting } = await db
    .selectFrom('files')
    .select(sql<number>`count(*)::integer`.as('waiting'))
    .where('uploader_id', '=', uploaderId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return waiting
}

/** A file that is not being removed. */
export function findFile(db: Db, id: string) {
  return db
    .selectFrom('files')
    .select(columns)
    .where('id', '=', id)
    .where('state', '<>', 'removing')
    .executeTakeFirst()
}

/** Begins an attempt to store a waiting file's bytes, and returns its number; undefined once the file is ready. */
export async function beginAttempt(db: Db, id: string): Promise<number | undefined> {
  const row = await db
    .updateTable('files')
    .set({ attempt: sql`attempt + 1` })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning('attempt')
    .executeTakeFirst()
  return row?.attempt
}

type Ready = Pick<FileRow, 'bytes'> & Omit<FileRecord, 'id' | 'project_id' | 'uploader_id' | 'name' | 'state'>

/** Makes a waiting file of a project ready; undefined where another attempt was first, or the file is gone from there. */
export function completeFile(trx: Transaction<Schema>, id: string, projectId: string, ready: Ready) {
  return trx
    .updateTable('files')
    .set({ ...ready, state: 'ready' })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('state', '=', 'waiting')
    .returning(columns)
    .executeTakeFirst()
}

/** What this reader sees, if they may view its project: what is published, and their own drafts. */
const isSeen = (readerId: string | null) =>
  sql<boolean>`(e.state = 'published' or e.author_id = ${readerId}::uuid)`

/** The projects in which something that this reader may see uses the file: entries, and projects by their covers. */
export async function findProjectsOfFile(db: Db, fileId: string, readerId: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.project_id as id from file_uses u
    join entries_and_drafts e on e.id = u.entry_id join live_milestones m on m.id = e.milestone_id
    where u.file_id = ${fileId} and ${isSeen(readerId)}
    union select project_id from file_uses where file_id = ${fileId} and project_id is not null
    limit ${PROJECTS_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}

/** An entry can be moved with its files; in more projects than this nobody finds the same one. */
const PROJECTS_MAX = 20

/** Of these files those that the reader may show in the project: their own uploads, or what it shows already. */
export function listFilesOfProject(db: Db, projectId: string, readerId: string | null, ids: string[]) {
  return db
    .selectFrom('files as f')
    .select(columns)
    .where('f.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('f.state', '<>', 'removing')
    .where((where) => where.or([isOwnUpload(projectId, readerId), isUsedIn(projectId, readerId)]))
    .orderBy('f.id')
    .execute()
}

/**
 * Whether this person uploaded the file `f` to the project; or to another one, before they chose this one for their text,
 * and nothing uses it.
 */
const isOwnUpload = (projectId: string, personId: string | null) => sql<boolean>`(
  f.uploader_id = ${personId}::uuid and (f.project_id = ${projectId} or (f.project_id is not null and f.unused_since is not null)))`

/** Whether what this reader sees of a project uses the file `f`. */
const isUsedIn = (projectId: string, readerId: string | null) => sql<boolean>`exists (
  select from file_uses u
  left join entries_and_drafts e on e.id = u.entry_id left join live_milestones m on m.id = e.milestone_id
  where u.file_id = f.id and (u.project_id = ${projectId} or (m.project_id = ${projectId} and ${isSeen(readerId)})))`

/** The files that the texts of entries use, by entry. */
export async function listFilesOfEntries(db: Db, entryIds: string[]): Promise<Map<string, FileRecord[]>> {
  if (entryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('file_uses as u')
    .innerJoin('files as f', 'f.id', 'u.file_id')
    .select('u.entry_id')
    .select(columns.map((name) => `f.${name}` as const))
    .where('u.entry_id', '=', sql<string>`any(${entryIds}::uuid[])`)
    .where('u.used_as', '=', 'text')
    .execute()
  return Map.groupBy(rows, ({ entry_id }) => entry_id ?? '')
}

/** Who uses a file: an entry by its text or its cover, or a project by its cover. */
export type User = { entryId: string; as: 'text' | 'cover' } | { projectId: string }

/**
 * Makes exactly those of these files the ones that an entry or a project uses which it may: the writer's own uploads to
 * the project, what others see in it anyway, and what it used before. Returns them. Call `lockFiles` first.
 */
export async function replaceUses(
  trx: Transaction<Schema>,
  user: User,
  { projectId, writerId, ids }: { projectId: string; writerId: string; ids: string[] },
): Promise<string[]> {
  const own = columnsOf(user)
  const isUsedAlready = sql<boolean>`exists (
    select from file_uses u
    where u.file_id = f.id and coalesce(u.entry_id, u.project_id) = ${own.entry_id ?? own.project_id})`
  const usable = await trx
    .selectFrom('files as f')
    .select('f.id')
    .where('f.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('f.state', '<>', 'removing')
    .where((where) =>
      where.or([isOwnUpload(projectId, writerId), isUsedIn(projectId, writerId), isUsedAlready]),
    )
    .orderBy('f.id')
    .execute()
  const used = usable.map(({ id }) => id)
  await fetchUnused(trx, used, projectId)
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

/** Gives files that were uploaded to other projects, and that nothing uses, to this one. */
async function fetchUnused(trx: Transaction<Schema>, ids: string[], projectId: string): Promise<void> {
  const unused = await trx
    .selectFrom('files')
    .select(['id', 'project_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('project_id', '<>', projectId)
    .where('unused_since', 'is not', null)
    .execute()
  await giveFiles(trx, unused, projectId)
}

/**
 * Gives files to a project that is locked. A project that somebody else is changing now keeps its own, and so does an
 * owner whose usage they have changed: to wait for them with this project locked could be to wait for ever.
 */
async function giveFiles(
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
 * Locks the files that an entry uses, or a project, and those that it is going to use: in the order of their ids, so that
 * no two writers wait for each other. None of them is removed before the transaction ends.
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

/** Gives the files that only this entry uses to the project that it was moved to. */
export async function moveFiles(trx: Transaction<Schema>, entryId: string, projectId: string): Promise<void> {
  const files = await trx
    .selectFrom('files as f')
    .select(['f.id', 'f.project_id'])
    .where('f.id', 'in', (q) => q.selectFrom('file_uses').select('file_id').where('entry_id', '=', entryId))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('file_uses as u')
            .select('u.file_id')
            .whereRef('u.file_id', '=', 'f.id')
            .where('u.entry_id', 'is distinct from', entryId),
        ),
      ),
    )
    .execute()
  await giveFiles(trx, files, projectId)
}

/** Gives up a file that nothing uses; false where something does. */
export async function giveUpFile(trx: Transaction<Schema>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('files')
    .set({ state: 'removing', bytes: 0, unused_since: sql`'-infinity'::timestamptz` })
    .where('id', '=', id)
    .where('unused_since', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** How long a file is kept without use: long enough to take a deletion back. */
const KEPT = sql`interval '1 day'`

/**
 * Claims some files that nothing has used for a day, or whose project is gone, for removal; none while a backup runs,
 * whose older snapshot may still refer to them. What is claimed can no longer be used.
 */
export async function claimUnused(db: Kysely<Schema>, limit: number) {
  return db.transaction().execute(async (trx) => {
    if (await backupRuns(trx)) return []
    return trx
      .updateTable('files')
      .set({ state: 'removing', unused_since: sql`now() + interval '10 minutes' - ${KEPT}` })
      .where('id', 'in', (q) =>
        q
          .selectFrom('files')
          .select('id')
          .where('unused_since', 'is not', null)
          .where(
            sql<boolean>`unused_since <= now() - ${KEPT} or (project_id is null and state <> 'removing')`,
          )
          .orderBy('unused_since')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'attempt', 'widths', 'animated'])
      .execute()
  })
}

/** Deletes the records of files whose bytes are gone. */
export async function deleteFiles(db: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('files').where('id', 'in', ids).execute()
}
