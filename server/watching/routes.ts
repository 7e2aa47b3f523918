import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { changeWatch, listMentionable, readWatch, visitProject } from './service.ts'

export function watchingRoutes(serve: Serve, deps: AppDeps): void {
  serve('readWatch', ({ caller, params }) => readWatch(deps, caller, params.projectId))
  serve('changeWatch', ({ caller, params, body }) => changeWatch(deps, caller, params.projectId, body.level))
  serve('listMentionable', ({ caller, params }) => listMentionable(deps, caller, params.projectId))
  serve('visitProject', ({ caller, params }) => visitProject(deps, caller, params.projectId))
}
