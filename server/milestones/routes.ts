import { DELETION_ID } from '#contract/trash.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/calls.ts'
import { createMilestone, deleteMilestone, listMilestones, updateMilestone } from './service.ts'

export function milestoneRoutes(serve: Serve, deps: AppDeps): void {
  serve('listMilestones', ({ caller, params }) => listMilestones(deps, caller, params.projectId))
  serve('createMilestone', ({ caller, params, body, idempotency }) =>
    createMilestone({ ...deps, idempotency }, caller, params.projectId, body),
  )
  serve('updateMilestone', ({ caller, params, body, ifMatch }) =>
    updateMilestone(deps, caller, params, body, ifMatch),
  )
  serve('deleteMilestone', async ({ caller, params, setHeader }) =>
    setHeader(DELETION_ID, await deleteMilestone(deps, caller, params)),
  )
}
