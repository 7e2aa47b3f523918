import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'
import { permissionsIn } from './demand.ts'

export function permissionRoutes(serve: Serve, { db }: Parts): void {
  serve('readPermissions', ({ caller, params }) => permissionsIn(db, caller, params.projectId))
}
