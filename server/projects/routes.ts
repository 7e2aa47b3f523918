import { DELETION_ID } from '#contract/trash.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/calls.ts'
import { createProject, deleteProject, listProjects, readProject, updateProject } from './service.ts'

export function projectRoutes(serve: Serve, deps: AppDeps): void {
  serve('listProjects', ({ caller }) => listProjects(deps, caller))
  serve('readProject', ({ caller, params }) => readProject(deps, caller, params.projectId))
  serve('createProject', ({ caller, body, idempotency }) =>
    createProject({ ...deps, idempotency }, caller, body),
  )
  serve('updateProject', ({ caller, params, body, ifMatch }) =>
    updateProject(deps, caller, params.projectId, body, ifMatch),
  )
  serve('deleteProject', async ({ caller, params, setHeader }) =>
    setHeader(DELETION_ID, await deleteProject(deps, caller, params.projectId)),
  )
}
