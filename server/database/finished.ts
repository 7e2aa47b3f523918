import { type RawBuilder, sql } from 'kysely'

/** The facts about a finished project as JSON, which has times as texts. */
export type FinishedJson = { started: string; reached: string | null; entries: number; pictures: number }

/** The facts about the project with this id, which may be a column of `p`; null unless all its milestones are completed. */
export const finishedFacts = (projectId: RawBuilder<unknown>) => sql<FinishedJson | null>`(
  select json_build_object('started', done.created_at, 'reached', max(m.reached_at),
    'entries', sum(m.entry_count)::integer,
    'pictures', ${countPictures(projectId)})
  from live_projects done join live_milestones m on m.project_id = done.id
  where done.id = ${projectId} and done.milestone_count = done.completed_milestone_count
  group by done.id, done.created_at)`

/** Counts the project's pictures that readers see in entries. Reads as many rows as the project has files. */
const countPictures = (projectId: RawBuilder<unknown>) => sql`(
  select count(*) from files f
  where f.project_id = ${projectId} and f.kind = 'image' and f.state = 'ready' and exists (
    select from file_uses u join live_entries e on e.id = u.entry_id where u.file_id = f.id))`
