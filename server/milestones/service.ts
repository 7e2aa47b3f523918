import { v7 as uuidv7 } from 'uuid'
import type { Milestone, MilestoneFields } from '#contract/milestones.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { Parts } from '#server/parts.ts'
import { changeProject } from '#server/permissions/change.ts'
import { demand } from '#server/permissions/demand.ts'
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
export function listMilestones(parts: Parts, caller: Caller | null, projectId: string): Promise<Milestone[]> {
  return inSnapshot(parts.db, async (db) => {
    await demand(db, caller, 'project:view', { projectId })
    return (await listMilestonesOf(db, projectId)).map(presentMilestone)
  })
}

/** Adds a milestone. Throws `not_found` or `forbidden`. */
export function createMilestone(
  parts: Parts,
  caller: Caller,
  projectId: string,
  fields: MilestoneFields,
): Promise<Milestone> {
  return changeProject(parts, caller, 'content:edit', { projectId }, async (trx) => {
    return presentMilestone(
      await insertMilestone(trx, { ...fields, id: uuidv7(), projectId, now: parts.clock() }),
    )
  })
}

/** Changes a milestone. Throws `not_found`, `forbidden`, or `stale` where `ifMatch` is old. */
export function updateMilestone(
  parts: Parts,
  caller: Caller,
  { projectId, milestoneId }: { projectId: string; milestoneId: string },
  fields: MilestoneFields,
  ifMatch: number | undefined,
): Promise<Milestone> {
  return changeProject(parts, caller, 'content:edit', { projectId }, async (trx) => {
    const current = await findMilestone(trx, projectId, milestoneId)
    if (!current) throw notFound('Milestone')
    refuseStale(ifMatch, presentMilestone(current))
    return presentMilestone(await updateMilestoneRow(trx, milestoneId, fields, parts.clock()))
  })
}

/** Deletes a milestone with its entries. Throws `not_found` or `forbidden`. */
export async function deleteMilestone(
  parts: Parts,
  caller: Caller,
  { projectId, milestoneId }: { projectId: string; milestoneId: string },
): Promise<void> {
  await changeProject(parts, caller, 'content:edit', { projectId }, async (trx) => {
    if (!(await deleteMilestoneRow(trx, projectId, milestoneId))) throw notFound('Milestone')
  })
}
