import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { listActivity } from './service.ts'

export function activityRoutes(serve: Serve, deps: AppDeps): void {
  serve('listActivity', ({ caller, params: { projectId }, query: { before } }) =>
    listActivity(deps, caller, projectId, before),
  )
}
