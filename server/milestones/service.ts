import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { ActivityKind } from '#contract/activity.ts'
import {
  areDaysInOrder,
  DUE_BEFORE_START,
  type Milestone,
  type MilestoneChange,
  type MilestoneFields,
} from '#contract/milestones.ts'
import { recordActivity } from '#server/activity/service.ts'
import { changeProject } from '#server/change-project.ts'
import type { Schema } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { may, requireAccess, requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { invalid, notFound, refuseStale } from '#server/platform/api/errors.ts'
import {
  type Change,
  findCreated,
  firstChanges,
  hasChange,
  idTaken,
} from '#server/platform/changes/changes.ts'
import { moveToTrash } from '#server/trash/mark.ts'
import { tellOfReached } from '#server/watching/news.ts'
import {
  findMilestone,
  findMilestoneOfMaker,
  insertMilestone,
  listMilestonesOf,
  type MilestoneRecord,
  updateMilestoneRow,
} from './store.ts'

export function presentMilestone(row: MilestoneRecord): Milestone {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    completed: row.completed,
    startsOn: row.starts_on,
    dueOn: row.due_on,
    reachedAt: row.reached_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    project: row.project_id,
    entryCount: row.entry_count,
  }
}

/** Returns the milestones of a project that the caller may view, in their order. Throws `not_found`. */
export function listMilestones(
  deps: AppDeps,
  caller: Caller | null,
  projectId: string,
): Promise<Milestone[]> {
  return inSnapshot(deps.db, async (db) => {
    await requireAccess(db, caller, 'project:view', { projectId })
    return (await listMilestonesOf(db, projectId)).map(presentMilestone)
  })
}

/** Adds a milestone. Throws `not_found`, `forbidden` or `id_taken`. */
export function createMilestone(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  fields: MilestoneFields,
  change: Change,
): Promise<Milestone> {
  const { userId } = caller
  const ref = { projectId, wanted: change.newId }
  return changeProject(deps, caller, 'content:edit', ref, async (trx, access) => {
    requirePublishing(caller, access)
    const created = await findCreated(access.taken, 'milestone', async () => {
      const row = await findMilestoneOfMaker(trx, change.newId ?? '', userId)
      return row && (await may(trx, caller, 'project:view', row.project_id)) ? row : undefined
    })
    if (created) {
      change.wasDone(created)
      return presentMilestone(created)
    }
    if (!areDaysInOrder(fields)) throw dueBeforeStart()
    await deps.quotas.requireMilestone(trx, projectId)
    const now = deps.clock()
    const id = change.newId ?? uuidv7()
    const made = { createdBy: userId, changes: firstChanges(change), now }
    const row = await insertMilestone(trx, { ...fields, id, projectId, ...made })
    if (!row) throw idTaken()
    await record(trx, caller, 'milestone_created', row, now)
    return presentMilestone(row)
  })
}

/** Changes a milestone. Throws `not_found`, `forbidden`, or `stale` if `ifMatch` is outdated. */
export function updateMilestone(
  deps: AppDeps,
  caller: Caller,
  { projectId, milestoneId }: { projectId: string; milestoneId: string },
  fields: MilestoneChange,
  ifMatch: number | undefined,
  change: Change,
): Promise<Milestone> {
  return changeProject(deps, caller, 'content:edit', { projectId }, async (trx, access, publish) => {
    requirePublishing(caller, access)
    const current = await findMilestone(trx, projectId, milestoneId)
    if (!current) throw notFound('Milestone')
    if (hasChange(current, change)) return presentMilestone(current)
    refuseStale(ifMatch, presentMilestone(current))
    const days = { startsOn: current.starts_on, dueOn: current.due_on }
    // Programs could plan the end before the beginning once; such a milestone can still be completed.
    if (
      areDaysInOrder(days) &&
      !areDaysInOrder({
        startsOn: fields.startsOn === undefined ? days.startsOn : fields.startsOn,
        dueOn: fields.dueOn === undefined ? days.dueOn : fields.dueOn,
      })
    )
      throw dueBeforeStart()
    const now = deps.clock()
    const row = await updateMilestoneRow(trx, milestoneId, fields, { change: change.change, now })
    const kind = changeOf(current, row)
    if (kind) await record(trx, caller, kind, row, now)
    if (kind === 'milestone_completed')
      await tellOfReached({ trx, publish, now }, { projectId, actorId: caller.userId }, row)
    return presentMilestone(row)
  })
}

const dueBeforeStart = () => invalid([{ path: 'dueOn', message: DUE_BEFORE_START }])

/** The column of each field of an update, so that a new field is recorded too. */
const columnOf = {
  title: 'title',
  description: 'description',
  completed: 'completed',
  startsOn: 'starts_on',
  dueOn: 'due_on',
} as const satisfies Record<keyof MilestoneChange, keyof MilestoneRecord>

/** Returns the kind of activity of an update; null if it changed nothing. */
function changeOf(before: MilestoneRecord, after: MilestoneRecord): ActivityKind | null {
  if (after.completed !== before.completed)
    return after.completed ? 'milestone_completed' : 'milestone_reopened'
  const isSame = Object.values(columnOf).every((column) => after[column] === before[column])
  return isSame ? null : 'milestone_edited'
}

function record(
  trx: Transaction<Schema>,
  { userId }: Caller,
  kind: ActivityKind,
  { id, project_id: projectId, title }: MilestoneRecord,
  now: Date,
): Promise<void> {
  return recordActivity(trx, { kind, projectId, actorId: userId, milestoneId: id, subject: title, now })
}

/** Moves a milestone to the trash with its entries, and returns the id of the deletion. Throws `not_found` or `forbidden`. */
export function deleteMilestone(
  deps: AppDeps,
  caller: Caller,
  { projectId, milestoneId }: { projectId: string; milestoneId: string },
  change: Change,
): Promise<string> {
  return changeProject(deps, caller, 'content:edit', { projectId }, async (trx, access) => {
    requirePublishing(caller, access)
    const milestone = await findMilestone(trx, projectId, milestoneId)
    if (!milestone) throw notFound('Milestone')
    // Deleted, and restored since.
    if (change.change !== null && hasChange(milestone, change)) return change.change
    const { change: id } = change
    const mark = { id, subject: milestone.title, deletedBy: caller.userId, now: deps.clock() }
    return moveToTrash(trx, { projectId, milestoneId }, mark)
  })
}
