import { sql } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'

/** The storage of a project, and of its owner in all projects. */
export type Usage = { ownerId: string; ownerQuota: number | null; projectBytes: number; ownerBytes: number }

/** Returns the storage of a project, and of its owner in all projects, whose row a transaction locks if it has changed it. */
export function findUsage(db: Db, projectId: string): Promise<Usage | undefined> {
  return usage.first(db, { projectId })
}

const usage = prepared((_db, { projectId }: { projectId: string }) => usagePart(projectId))

/** The statement of `findUsage`, which may be a part of another one. */
export const usagePart = (projectId: string) =>
  sql<Usage>`select "ownerId", "ownerQuota", "projectBytes", "ownerBytes" from settled_usage(${projectId})`

/** Returns the storage of an account's projects, and its individual quota, if any. */
export async function findAccountUsage(
  db: Db,
  userId: string,
): Promise<{ bytes: number; ownQuota: number | null }> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('storage_usage as s', 's.user_id', 'u.id')
    .select(sql<number>`coalesce(s.text_bytes + s.file_bytes, 0)`.as('bytes'))
    .select('u.quota_bytes as ownQuota')
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return row ?? { bytes: 0, ownQuota: null }
}

/** Counts the milestones of a project, including those in the trash. */
export async function countMilestones(db: Db, projectId: string): Promise<number> {
  const { count } = await db
    .selectFrom('milestones')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return count
}

/** Counts the projects of an account, including those in the trash. */
export async function countProjects(db: Db, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the storage of all accounts together. */
export function sumUsage(db: Db) {
  return db
    .selectFrom('storage_usage')
    .select([
      sql<number>`coalesce(sum(text_bytes), 0)::bigint`.as('text'),
      sql<number>`coalesce(sum(file_bytes), 0)::bigint`.as('files'),
    ])
    .executeTakeFirstOrThrow()
}
