import { sql } from 'kysely'

/** What a project can offer its readers, and whether it does unless its people have chosen. */
const UNLESS_CHOSEN = { emails: true, reactions: false, downloads: false } as const

export type Offer = keyof typeof UNLESS_CHOSEN

/** Whether a project offers something to its readers, in a statement in which `projectId` is the column with its id. */
export const offers = (what: Offer, projectId: string) => sql<boolean>`
  coalesce((select ${sql.ref(`s.${what}`)} from reader_settings s where s.project_id = ${sql.ref(projectId)}),
    ${sql.lit(UNLESS_CHOSEN[what])})`
