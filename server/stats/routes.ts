import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'
import { createStats } from './service.ts'

export function statsRoutes(serve: Serve, parts: Parts): void {
  const { readStats, countUsers } = createStats(parts)
  serve('readStats', readStats)
  serve('countUsers', countUsers)
}
