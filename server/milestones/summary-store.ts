import { sql } from 'kysely'
import { coverOfEntry } from '#server/database/covers.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'

export type MilestoneRef = { projectId: string; milestoneId: string }

type Facts = { started_at: Date; reached_at: Date | null; entry_count: number; pictures: number }

/** A milestone starts with its creation, or with what happened before it. */
export const factsOf = prepared((db, { projectId, milestoneId }: MilestoneRef) => ({
  compile: () =>
    sql<Facts>`
      select least(m.created_at, (select min(happened_at) from live_entries where milestone_id = m.id)) as started_at,
        m.reached_at, m.entry_count, (
          select count(distinct u.file_id)::integer from live_entries e
          join file_uses u on u.entry_id = e.id join files f on f.id = u.file_id
          where e.milestone_id = m.id and f.kind = 'image' and f.state = 'ready') as pictures
      from live_milestones m where m.id = ${milestoneId} and m.project_id = ${projectId}`.compile(db),
}))

const covers = (db: Db, milestoneId: string, order: 'asc' | 'desc') =>
  db
    .selectFrom('live_entries as e')
    .select(coverOfEntry('e'))
    .where('e.milestone_id', '=', milestoneId)
    .where(sql<boolean>`(e.cover_file_id is not null or (not e.no_cover and e.first_picture_id is not null))`)
    .orderBy('e.happened_at', order)
    .orderBy('e.id', order)
    .limit(sql.lit(1))

export const firstCover = prepared((db, { milestoneId }: { milestoneId: string }) =>
  covers(db, milestoneId, 'asc'),
)
export const lastCover = prepared((db, { milestoneId }: { milestoneId: string }) =>
  covers(db, milestoneId, 'desc'),
)
