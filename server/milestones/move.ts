import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { Transaction } from 'kysely'
import type { Milestone, MilestonePlace } from '#contract/milestones.ts'
import { recordActivity } from '#server/activity/service.ts'
import { changeProjects } from '#server/change-project.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { moveFilesWithMilestone, refuseFilesOfOtherOwner } from '#server/files/uses.ts'
import { requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { invalid, notFound } from '#server/platform/api/errors.ts'
import { type Change, hasChange } from '#server/platform/changes/changes.ts'
import { findGap, findPosition, type Gap, listOrder, updatePlace, updatePositions } from './move-store.ts'
import { presentMilestone } from './service.ts'
import { findMilestone } from './store.ts'

/** The longest position that a move makes. Many moves to one place make longer ones, and an index stores at most 2,700 bytes. */
const POSITION_MAX = 60

/**
 * Moves a milestone to another place, or with its entries to another project, which requires the same right in both. Drafts go along
 * and stay their writers'. Throws `not_found`, `forbidden`, `conflict`, `quota_exceeded`, or `invalid` if there is no such place.
 */
export function moveMilestone(
  deps: AppDeps,
  caller: Caller,
  milestoneId: string,
  { after, project }: MilestonePlace,
  change: Change,
): Promise<Milestone> {
  const refs =
    project === undefined ? [{ milestoneId }] : [{ milestoneId }, { projectId: project.toLowerCase() }]
  return changeProjects(deps, caller, 'content:edit', refs, async (trx, accesses, publish) => {
    const [from, to = from] = accesses
    if (!from || !to) throw new Error('a change without access')
    for (const access of accesses) requirePublishing(caller, access)
    const current = await findMilestone(trx, from.projectId, milestoneId)
    if (!current) throw notFound('Milestone')
    if (hasChange(current, change)) return presentMilestone(current)
    const { projectId } = to
    const isLeaving = projectId !== from.projectId
    const gap = await requireGap(trx, { projectId, milestoneId }, after)
    if (!isLeaving && isBetween(await findPosition(trx, milestoneId), gap)) return presentMilestone(current)
    if (isLeaving) await deps.quotas.requireMilestone(trx, projectId)
    const position = await positionIn(trx, { projectId, milestoneId }, after, gap)
    await updatePlace(trx, milestoneId, { projectId, position }, change.change)
    if (isLeaving) {
      await moveFilesWithMilestone(trx, milestoneId, projectId)
      await refuseFilesOfOtherOwner(trx, { milestoneId }, projectId)
    }
    const moved = { kind: 'milestone_moved', actorId: caller.userId, milestoneId } as const
    const values = { ...moved, subject: current.title, now: deps.clock() }
    await recordActivity(trx, { ...values, projectId })
    if (isLeaving)
      await recordActivity(trx, { ...values, projectId: from.projectId, details: { movedAway: true } })
    for (const access of accesses) publish({ project: access.projectId })
    const row = await findMilestone(trx, projectId, milestoneId)
    if (!row) throw new Error('a milestone was not moved')
    return presentMilestone(row)
  })
}

type Place = { projectId: string; milestoneId: string }

async function requireGap(
  trx: Transaction<Schema>,
  place: Place,
  after: string | null | undefined,
): Promise<Gap> {
  const gap = await findGap(trx, place, after)
  if (gap) return gap
  throw invalid([
    {
      path: 'after',
      message: 'The milestone after which this one should stand is not in that project any more',
    },
  ])
}

/** Compares like collate "C", because positions have only letters and digits of ASCII. */
const isBetween = (position: string, { before, next }: Gap) =>
  (before === null || position > before) && (next === null || position < next)

/** Returns a position in a gap. If it were too long, all milestones of the project get short ones first. */
async function positionIn(
  trx: Transaction<Schema>,
  place: Place,
  after: string | null | undefined,
  gap: Gap,
): Promise<string> {
  const position = generateKeyBetween(gap.before, gap.next)
  if (position.length <= POSITION_MAX) return position
  const ids = (await listOrder(trx, place.projectId)).filter((id) => id !== place.milestoneId)
  await updatePositions(trx, ids, generateNKeysBetween(null, null, ids.length))
  const { before, next } = await requireGap(trx, place, after)
  return generateKeyBetween(before, next)
}
