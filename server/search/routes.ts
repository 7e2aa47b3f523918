import type { Serve } from '#server/platform/calls.ts'
import type { RunSearch } from '#server/platform/load/search.ts'
import { search } from './service.ts'

export function searchRoutes(serve: Serve, options: { search: RunSearch }): void {
  serve('search', ({ caller, query }) => search(caller, query, options.search))
}
