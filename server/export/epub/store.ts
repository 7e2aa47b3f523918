import { sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'

/** Returns the project of a live entry. */
export async function findProjectOf(db: Db, entryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('live_entries as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select('m.project_id')
    .where('e.id', '=', entryId)
    .executeTakeFirst()
  return row?.project_id
}

export const findProject = (db: Db, projectId: string) =>
  db
    .selectFrom('live_projects as p')
    .leftJoin('users as u', 'u.id', 'p.owner_id')
    .select(['p.id', 'p.title', 'p.description', 'p.updated_at', 'u.name as author'])
    .where('p.id', '=', projectId)
    .executeTakeFirst()

type Batch = { milestoneId: string; only: string | null; after: string | undefined; limit: number }

/** Returns published entries of a milestone, oldest first, with their HTML if it is of their version. */
export const listChapters = (db: Db, { milestoneId, only, after, limit }: Batch) =>
  db
    .selectFrom('live_entries as e')
    .leftJoin('entry_renderings as r', (join) =>
      join.onRef('r.entry_id', '=', 'e.id').onRef('r.entry_version', '=', 'e.version'),
    )
    .select(['e.id', 'e.title', 'e.content', 'e.happened_on', 'e.author_name', 'e.updated_at', 'r.html'])
    .where('e.milestone_id', '=', milestoneId)
    .$if(only !== null, (query) => query.where('e.id', '=', only ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(e.happened_at, e.id) > (select happened_at, id from live_entries where id = ${after})`,
      ),
    )
    .orderBy('e.happened_at')
    .orderBy('e.id')
    .limit(limit)
    .execute()
