import { sql } from 'kysely'
import type { Finished } from '#contract/projects.ts'
import type { Db } from '#server/database/rows.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Returns the summary of a project with only completed milestones; null for any other. */
export async function readFinished(db: Db, projectId: string): Promise<Finished | null> {
  const { rows } = await sql<{ started: Date; reached: Date | null; entries: number; pictures: number }>`
    select p.created_at as started, max(m.reached_at) as reached, sum(m.entry_count)::integer as entries,
      (${countFiles(projectId)} + ${countImages(projectId)})::integer as pictures
    from live_projects p join live_milestones m on m.project_id = p.id
    where p.id = ${projectId} and p.milestone_count = p.completed_milestone_count
    group by p.id, p.created_at`.execute(db)
  const [found] = rows
  if (!found) return null
  const { started, entries, pictures } = found
  const end = Math.max(started.getTime(), found.reached?.getTime() ?? 0)
  return {
    at: new Date(end).toISOString(),
    days: Math.floor((end - started.getTime()) / DAY_MS) + 1,
    entries,
    pictures,
  }
}

/** Counts the project's pictures that readers see in entries. Reads as many rows as the project has files. */
const countFiles = (projectId: string) => sql`(
  select count(*) from files f
  where f.project_id = ${projectId} and f.kind = 'image' and f.state = 'ready' and exists (
    select from file_uses u join live_entries e on e.id = u.entry_id where u.file_id = f.id))`

/** Counts images that were sent with entries. Skips milestones without stored bytes. */
const countImages = (projectId: string) => sql`(
  select count(*) from live_milestones i join live_entries e on e.milestone_id = i.id
  where i.project_id = ${projectId} and i.file_bytes > 0 and e.image_id is not null and e.cover_file_id is null)`
