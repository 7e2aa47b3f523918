import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { endEditing, keepEditing } from './service.ts'

export function presenceRoutes(serve: Serve, deps: AppDeps): void {
  serve('keepEditing', ({ caller, params }) => keepEditing(deps, caller, params))
  serve('endEditing', ({ caller, params }) => endEditing(deps, caller, params))
}
