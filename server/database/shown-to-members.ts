import { sql } from 'kysely'

/**
 * The view of public projects, widened to one project for its members: a part of a `with` that shadows it in the statement after it.
 * Whoever runs the statement has required the right to view the project.
 */
export const shownToMembers = (projectId: string) => sql`
  public_projects as not materialized (
    select id, owner_id, title, description, revision, milestone_count, completed_milestone_count, changed_at, created_at,
      updated_at, visibility, cover_file_id, no_cover
    from live_projects where id = ${projectId})`
