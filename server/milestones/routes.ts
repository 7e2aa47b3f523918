import { DELETION_ID } from '#contract/trash.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { moveMilestone } from './move.ts'
import { createMilestone, deleteMilestone, listMilestones, updateMilestone } from './service.ts'
import { readMilestoneSummary } from './summary.ts'

export function milestoneRoutes(serve: Serve, deps: AppDeps): void {
  serve('listMilestones', ({ caller, params }) => listMilestones(deps, caller, params.projectId))
  serve('readMilestoneSummary', ({ caller, params }) => readMilestoneSummary(deps, caller, params))
  serve('createMilestone', ({ caller, params, body, change }) =>
    createMilestone(deps, caller, params.projectId, body, change),
  )
  serve('updateMilestone', ({ caller, params, body, ifMatch, change }) =>
    updateMilestone(deps, caller, params, body, ifMatch, change),
  )
  serve('moveMilestone', ({ caller, params, body, change }) =>
    moveMilestone(deps, caller, params.milestoneId, body, change),
  )
  serve('deleteMilestone', async ({ caller, params, setHeader, change }) =>
    setHeader(DELETION_ID, await deleteMilestone(deps, caller, params, change)),
  )
}
