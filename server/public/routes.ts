import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { readWorldEntry, readWorldPage, streamPublicEntries, streamWorldEntries } from './service.ts'
import { readStory } from './story.ts'

export function publicPageRoutes(serve: Serve, deps: AppDeps): void {
  serve('readWorld', ({ params }) => streamPublicEntries(deps, params.projectId))
  serve('readWorldPage', ({ params, query }) => readWorldPage(deps, params.projectId, query))
  serve('listWorldEntries', ({ params }) => streamWorldEntries(deps, params.projectId))
  serve('readWorldEntry', ({ params }) => readWorldEntry(deps, params))
  serve('readStory', ({ caller, params, query }) => readStory(deps, caller, params.projectId, query))
}
