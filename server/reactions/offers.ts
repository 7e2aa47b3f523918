import { sql } from 'kysely'

/** Whether readers can react to the entries of a project, in a statement in which `projectId` is the column with its id. */
export const offersReactions = (projectId: string) => sql<boolean>`
  coalesce((select s.reactions from reader_settings s where s.project_id = ${sql.ref(projectId)}), false)`
