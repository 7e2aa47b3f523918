import { sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'

type Users =
  | { entryIds: string[] }
  | { projectId: string }
  | { draftIds: string[] }
  | { revisionIds: string[] }

/** Returns the ready files that entries, a project, drafts or versions of entries use, with the id of each user. */
export async function listFiles(db: Db, users: Users) {
  const isUser =
    'entryIds' in users
      ? sql<boolean>`u.entry_id = any(${users.entryIds}::uuid[])`
      : 'draftIds' in users
        ? sql<boolean>`u.draft_id = any(${users.draftIds}::uuid[])`
        : 'revisionIds' in users
          ? sql<boolean>`u.revision_id = any(${users.revisionIds}::uuid[])`
          : sql<boolean>`u.project_id = ${users.projectId}`
  return db
    .selectFrom('file_uses as u')
    .innerJoin('files as f', 'f.id', 'u.file_id')
    .select(['f.id', 'f.attempt', 'f.name', 'f.type', 'f.size', 'f.taken_at', 'f.created_at'])
    .select(['f.kind', 'f.widths'])
    .select(sql<string>`coalesce(u.entry_id, u.draft_id, u.revision_id, u.project_id)`.as('user_id'))
    .distinct()
    .where(isUser)
    .where('f.state', '=', 'ready')
    .orderBy('f.id')
    .orderBy('user_id')
    .execute()
}

export type FileRecord = Awaited<ReturnType<typeof listFiles>>[number]
