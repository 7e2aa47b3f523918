import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'
import { createMilestone, deleteMilestone, listMilestones, updateMilestone } from './service.ts'

export function milestoneRoutes(serve: Serve, parts: Parts): void {
  serve('listMilestones', ({ caller, params }) => listMilestones(parts, caller, params.projectId))
  serve('createMilestone', ({ caller, params, body }) =>
    createMilestone(parts, caller, params.projectId, body),
  )
  serve('updateMilestone', ({ caller, params, body, ifMatch }) =>
    updateMilestone(parts, caller, params, body, ifMatch),
  )
  serve('deleteMilestone', ({ caller, params }) => deleteMilestone(parts, caller, params))
}
