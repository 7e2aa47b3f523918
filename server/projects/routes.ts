import { DELETION_ID } from '#contract/trash.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { createProject, deleteProject, listProjects, readProject, updateProject } from './service.ts'

export function projectRoutes(serve: Serve, deps: AppDeps): void {
  serve('listProjects', ({ caller }) => listProjects(deps, caller))
  serve('readProject', ({ caller, params }) => readProject(deps, caller, params.projectId))
  serve('createProject', ({ caller, body, change }) => createProject(deps, caller, body, change))
  serve('updateProject', ({ caller, params, body, ifMatch, change }) =>
    updateProject(deps, caller, params.projectId, body, ifMatch, change),
  )
  serve('deleteProject', async ({ caller, params, setHeader, change }) =>
    setHeader(DELETION_ID, await deleteProject(deps, caller, params.projectId, change)),
  )
}
