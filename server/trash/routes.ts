import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { deleteForEver, listTrash, restoreDeletion } from './service.ts'

export function trashRoutes(serve: Serve, deps: AppDeps): void {
  serve('listTrash', ({ caller, query }) => listTrash(deps, caller, query))
  serve('restoreDeletion', ({ caller, params, body }) =>
    restoreDeletion(deps, caller, params.deletionId, body),
  )
  serve('deleteForEver', ({ caller, params }) => deleteForEver(deps, caller, params.deletionId))
}
