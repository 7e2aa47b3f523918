import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'
import { listWorldEntries } from './newest.ts'
import { readWorldEntry, readWorldPage } from './pages.ts'
import { streamWorld } from './service.ts'

export function worldRoutes(serve: Serve, parts: Parts): void {
  serve('readWorld', ({ params }) => streamWorld(parts, params.projectId))
  serve('readWorldPage', ({ params, query }) => readWorldPage(parts, params.projectId, query))
  serve('listWorldEntries', ({ params }) => listWorldEntries(parts, params.projectId))
  serve('readWorldEntry', ({ params }) => readWorldEntry(parts, params))
}
