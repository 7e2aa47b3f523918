import type { Serve } from '#server/platform/api/calls.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import { search } from './service.ts'

export function searchRoutes(serve: Serve, options: { search: RunSearch }): void {
  serve('search', ({ caller, query }) => search(caller, query, options.search))
}
