import { sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { isBaseOfDraft } from './store.ts'

/** Revisions before these dates are thinned out: superseded ones are deleted; of the others one a day remains, later one a week. */
export type ThinningDates = { superseded: Date; daily: Date; weekly: Date }

type Due = { id: string; projectId: string }

/** Returns revisions that are due for thinning, with their projects. Bases of autosaved drafts and anything in the trash are not due. */
export async function listDue(
  trx: Transaction<Schema>,
  { superseded, daily, weekly }: ThinningDates,
  limit: number,
): Promise<Due[]> {
  const due = (condition: ReturnType<typeof sql>) => sql`(
    select r.id, m.project_id as "projectId" from entry_revisions r
    join entries_and_drafts e on e.id = r.entry_id join live_milestones m on m.id = e.milestone_id
    where ${condition} and not ${isBaseOfDraft} limit ${limit})`
  const { rows } = await sql<Due>`
    ${due(sql`r.superseded and r.name is null and r.created_at < ${superseded}::timestamptz`)} union all
    ${due(sql`not r.superseded and r.kept = 'all' and r.created_at < ${daily}::timestamptz`)} union all
    ${due(sql`not r.superseded and r.kept = 'daily' and r.created_at < ${weekly}::timestamptz`)}
    limit ${limit}`.execute(trx)
  return rows
}

/**
 * Deletes those of the given revisions that are superseded, or are unnamed and not the last of their day or, from `weekly`
 * back, of their week. Marks the remaining ones as the last of their day or week.
 */
export async function thinOut(
  trx: Transaction<Schema>,
  ids: string[],
  { weekly }: Pick<ThinningDates, 'weekly'>,
): Promise<void> {
  const isOld = sql`r.created_at < ${weekly}::timestamptz`
  const periodOf = (row: string) =>
    sql`date_trunc(case when ${isOld} then 'week' else 'day' end, ${sql.ref(row)}.created_at at time zone 'UTC')`
  // Revisions of drafts are treated separately, because other people do not see them.
  const isFollowed = sql`(
    select ${periodOf('later')} from entry_revisions later
    where later.entry_id = r.entry_id and later.version > r.version and not later.superseded and later.state = r.state
    order by later.version limit 1) = ${periodOf('r')}`
  const isDeleted = sql`(r.name is null and (r.superseded or coalesce(${isFollowed}, false)))`
  await sql`
    with judged as (
      select r.id, ${isDeleted} as deleted from entry_revisions r where r.id = any (${ids}::uuid[])
    ), deleted as (
      delete from entry_revisions r using judged j where j.id = r.id and j.deleted
    )
    update entry_revisions r set kept = case when ${isOld} then 'weekly' else 'daily' end
    from judged j where j.id = r.id and not j.deleted`.execute(trx)
}
