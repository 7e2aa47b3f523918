import { sql } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'

/** What a project stores, and what its owner does in all projects. */
export function findUsage(db: Db, projectId: string) {
  return usage.first(db, { projectId })
}

const usage = prepared((db, { projectId }: { projectId: string }) =>
  db
    .selectFrom('projects as p')
    .innerJoin('storage_usage as u', 'u.user_id', 'p.owner_id')
    .select([
      'p.owner_id as ownerId',
      sql<number>`p.text_bytes + p.file_bytes`.as('projectBytes'),
      sql<number>`u.text_bytes + u.file_bytes`.as('ownerBytes'),
    ])
    .where('p.id', '=', projectId),
)

/** What is stored under the projects of one account. */
export async function sumAccount(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('storage_usage')
    .select(sql<number>`text_bytes + file_bytes`.as('bytes'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.bytes ?? 0
}

/** What all accounts store together. */
export function sumUsage(db: Db) {
  return db
    .selectFrom('storage_usage')
    .select([
      sql<number>`coalesce(sum(text_bytes), 0)::bigint`.as('text'),
      sql<number>`coalesce(sum(file_bytes), 0)::bigint`.as('files'),
    ])
    .executeTakeFirstOrThrow()
}
