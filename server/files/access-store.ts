import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'
import { fileColumns } from './store.ts'

/** Limits the number of checked projects. A file occurs in several only if entries with it were moved. */
const PROJECTS_MAX = 20

/** The entries that a reader with access to the project sees: published ones and their own drafts. */
const isSeen = (readerId: string | null) =>
  sql<boolean>`(e.state = 'published' or e.author_id = ${readerId}::uuid)`

/** Returns the projects in which an entry or a cover that this reader may see uses the file. */
export async function findProjectsOfFile(db: Db, fileId: string, readerId: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.project_id as id from file_uses u
    join entries_and_drafts e on e.id = u.entry_id join live_milestones m on m.id = e.milestone_id
    where u.file_id = ${fileId} and ${isSeen(readerId)}
    union select project_id from file_uses where file_id = ${fileId} and project_id is not null
    limit ${PROJECTS_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the projects in which a revision uses the file that this person may see if they may edit there. */
export async function findProjectsOfHistory(db: Db, fileId: string, writerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct m.project_id as id from file_uses u
    join entry_revisions r on r.id = u.revision_id
    join entries_and_drafts e on e.id = r.entry_id join live_milestones m on m.id = e.milestone_id
    where u.file_id = ${fileId} and ${isSeen(writerId)} and (r.state = 'published' or e.author_id = ${writerId}::uuid)
    limit ${PROJECTS_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Returns whether everything that uses a file is in the trash, so that its uploader cannot read it either. False for a file
 * that nothing uses, or that an autosaved draft uses.
 */
export async function isInTrash(db: Db, fileId: string): Promise<boolean> {
  const { rows } = await sql<{ trashed: boolean }>`
    select ${allTrashed(sql`${fileId}::uuid`)} as trashed`.execute(db)
  return rows[0]?.trashed ?? false
}

const allTrashed = (fileId: RawBuilder<unknown>) => sql<boolean>`coalesce((
  select bool_and(t.deleted_at is not null) from file_uses u
  left join entry_revisions r on r.id = u.revision_id
  left join entries t on t.id = coalesce(u.entry_id, r.entry_id)
  where u.file_id = ${fileId}), false)`

/** Returns those of the given files that the reader may show in the project: their own uploads, and files that it already shows. */
export function listFilesOfProject(db: Db, projectId: string, readerId: string | null, ids: string[]) {
  return db
    .selectFrom('files as f')
    .select(fileColumns)
    .where('f.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('f.state', '<>', 'removing')
    .where((where) =>
      where.or([
        where.and([isOwnUpload(projectId, readerId), where.not(allTrashed(sql.ref('f.id')))]),
        isUsedIn(projectId, readerId),
      ]),
    )
    .orderBy('f.id')
    .execute()
}

/**
 * Whether this person uploaded the file `f` to the project, or uploaded it to another project while nothing uses it (before
 * they chose this project for their text).
 */
export const isOwnUpload = (projectId: string, personId: string | null) => sql<boolean>`(
  f.uploader_id = ${personId}::uuid and (f.project_id = ${projectId} or (f.project_id is not null and ${isFree})))`

/** Whether nothing except autosaved drafts uses the file `f`. */
export const isFree = sql<boolean>`(f.unused_since is not null
  or not exists (select from file_uses u where u.file_id = f.id and u.draft_id is null))`

/** Whether anything that this reader sees in a project uses the file `f`. */
export const isUsedIn = (projectId: string, readerId: string | null) => sql<boolean>`exists (
  select from file_uses u
  left join entries_and_drafts e on e.id = u.entry_id left join live_milestones m on m.id = e.milestone_id
  where u.file_id = f.id and (u.project_id = ${projectId} or (m.project_id = ${projectId} and ${isSeen(readerId)})))`
