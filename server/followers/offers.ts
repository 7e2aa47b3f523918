import { sql } from 'kysely'

/** Whether the readers of a project can follow it by email, in a statement in which `projectId` is the column with its id. */
export const offersEmails = (projectId: string) => sql<boolean>`
  coalesce((select s.emails from reader_settings s where s.project_id = ${sql.ref(projectId)}), true)`
