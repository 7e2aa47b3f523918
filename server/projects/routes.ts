import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'
import { createProject, deleteProject, listProjects, readProject, updateProject } from './service.ts'

export function projectRoutes(serve: Serve, parts: Parts): void {
  serve('listProjects', ({ caller }) => listProjects(parts, caller))
  serve('readProject', ({ caller, params }) => readProject(parts, caller, params.projectId))
  serve('createProject', ({ caller, body }) => createProject(parts, caller, body))
  serve('updateProject', ({ caller, params, body, ifMatch }) =>
    updateProject(parts, caller, params.projectId, body, ifMatch),
  )
  serve('deleteProject', ({ caller, params }) => deleteProject(parts, caller, params.projectId))
}
