import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'
import { readWorld } from './service.ts'

export function worldRoutes(serve: Serve, parts: Parts): void {
  serve('readWorld', ({ params }) => readWorld(parts, params.projectId))
}
