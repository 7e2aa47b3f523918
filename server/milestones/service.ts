import { v7 as uuidv7 } from 'uuid'
import type { Milestone, MilestoneChange, MilestoneFields } from '#contract/milestones.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAccess } from '#server/permissions/access.ts'
import { changeProject } from '#server/permissions/change.ts'
import type { Caller } from '#server/platform/calls.ts'
import { notFound, refuseStale } from '#server/platform/errors.ts'
import { presentMilestone } from './present.ts'
import {
  deleteMilestoneRow,
  findMilestone,
  insertMilestone,
  listMilestonesOf,
  updateMilestoneRow,
} from './store.ts'

/** The milestones of a project that the caller may view, oldest first. Throws `not_found`. */
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

/** Adds a milestone. Throws `not_found` or `forbidden`. */
export function createMilestone(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  fields: MilestoneFields,
): Promise<Milestone> {
  return changeProject(deps, caller, 'content:edit', { projectId }, async (trx) => {
    return presentMilestone(
      await insertMilestone(trx, { ...fields, id: uuidv7(), projectId, now: deps.clock() }),
    )
  })
}

/** Changes a milestone. Throws `not_found`, `forbidden`, or `stale` where `ifMatch` is old. */
export function updateMilestone(
  deps: AppDeps,
  caller: Caller,
  { projectId, milestoneId }: { projectId: string; milestoneId: string },
  fields: MilestoneChange,
  ifMatch: number | undefined,
): Promise<Milestone> {
  return changeProject(deps, caller, 'content:edit', { projectId }, async (trx) => {
    const current = await findMilestone(trx, projectId, milestoneId)
    if (!current) throw notFound('Milestone')
    refuseStale(ifMatch, presentMilestone(current))
    return presentMilestone(await updateMilestoneRow(trx, milestoneId, fields, deps.clock()))
  })
}

/** Deletes a milestone with its entries. Throws `not_found` or `forbidden`. */
export async function deleteMilestone(
  deps: AppDeps,
  caller: Caller,
  { projectId, milestoneId }: { projectId: string; milestoneId: string },
): Promise<void> {
  await changeProject(deps, caller, 'content:edit', { projectId }, async (trx) => {
    if (!(await deleteMilestoneRow(trx, projectId, milestoneId))) throw notFound('Milestone')
  })
}
