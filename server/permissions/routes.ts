import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { permissionsIn } from './access.ts'

export function permissionRoutes(serve: Serve, { db }: AppDeps): void {
  serve('readPermissions', ({ caller, params }) => permissionsIn(db, caller, params.projectId))
}
