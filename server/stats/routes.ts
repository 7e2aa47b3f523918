import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'
import { countUsers, readStats } from './service.ts'

export function statsRoutes(serve: Serve, parts: Parts): void {
  serve('readStats', () => readStats(parts))
  serve('countUsers', () => countUsers(parts))
}
