import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { listRevisions, nameRevision, readRevision } from './service.ts'

export function historyRoutes(serve: Serve, deps: AppDeps): void {
  serve('listRevisions', ({ caller, params, query }) => listRevisions(deps, caller, params, query))
  serve('readRevision', ({ caller, params }) => readRevision(deps, caller, params))
  serve('nameRevision', ({ caller, params, body }) => nameRevision(deps, caller, params, body.name))
}
