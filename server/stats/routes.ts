import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { createStats } from './service.ts'

export function statsRoutes(serve: Serve, deps: AppDeps): void {
  const { readStats, countUsers } = createStats(deps)
  serve('readStats', readStats)
  serve('countUsers', countUsers)
}
