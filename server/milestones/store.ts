import { sql, type Transaction } from 'kysely'
import type { MilestoneChange, MilestoneFields } from '#contract/milestones.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { withChange } from '#server/platform/changes/changes.ts'

const columns = [
  'id',
  'project_id',
  'title',
  'description',
  'completed',
  'starts_on',
  'due_on',
  'reached_at',
  'version',
  'entry_count',
  'created_at',
  'updated_at',
] as const

export type MilestoneRecord = Awaited<ReturnType<typeof listMilestonesOf>>[number]

/** Returns the milestones of a project by position. The database appends new ones, so the oldest are first until one is moved. */
export function listMilestonesOf(db: Db, projectId: string) {
  return milestonesOf.all(db, { projectId })
}

const milestonesOf = prepared((db, { projectId }: { projectId: string }) =>
  db
    .selectFrom('live_milestones')
    .select(columns)
    .where('project_id', '=', projectId)
    .orderBy('position')
    .orderBy('id'),
)

/** Returns a milestone of this project; undefined if it belongs to another. */
export function findMilestone(db: Db, projectId: string, id: string) {
  return milestoneOf.first(db, { projectId, id })
}

const milestoneOf = prepared((db, { projectId, id }: { projectId: string; id: string }) =>
  remembered(db).where('id', '=', id).where('project_id', '=', projectId),
)

/** Returns a milestone, of any project, that this account has created. */
export function findMilestoneOfMaker(db: Db, id: string, makerId: string) {
  return remembered(db)
    .where('id', '=', id)
    .where(
      sql<boolean>`exists (select from milestones m where m.id = live_milestones.id and created_by = ${makerId})`,
    )
    .executeTakeFirst()
}

const changes = sql<string[]>`(select c.changes from milestone_changes c where c.id = live_milestones.id)`

const remembered = (db: Db) => db.selectFrom('live_milestones').select(columns).select(changes.as('changes'))

/** Adds a milestone; returns undefined if its id is taken. */
export function insertMilestone(
  trx: Transaction<Schema>,
  milestone: {
    id: string
    projectId: string
    createdBy: string
    changes: string[]
    now: Date
  } & MilestoneFields,
) {
  return trx
    .insertInto('milestones')
    .values({
      id: milestone.id,
      project_id: milestone.projectId,
      title: milestone.title,
      description: milestone.description,
      completed: milestone.completed,
      starts_on: milestone.startsOn,
      due_on: milestone.dueOn,
      created_by: milestone.createdBy,
      changes: milestone.changes,
      created_at: milestone.now,
      updated_at: milestone.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export function updateMilestoneRow(
  trx: Transaction<Schema>,
  id: string,
  fields: MilestoneChange,
  { change, now }: { change: string | null; now: Date },
) {
  return trx
    .updateTable('milestones')
    .set({
      title: fields.title,
      description: fields.description,
      completed: fields.completed,
      starts_on: fields.startsOn,
      due_on: fields.dueOn,
      version: sql`version + 1`,
      changes: withChange(change),
      updated_at: now,
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}
