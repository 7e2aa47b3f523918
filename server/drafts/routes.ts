import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { discardDraft, listDrafts, readDraft, saveDraft } from './service.ts'

export function draftRoutes(serve: Serve, deps: AppDeps): void {
  serve('listDrafts', ({ caller, query }) => listDrafts(deps, caller, query))
  serve('readDraft', ({ caller, params }) => readDraft(deps, caller, params.draftId))
  serve('saveDraft', ({ caller, params, body, ifMatch }) =>
    saveDraft(deps, caller, params.draftId, body, ifMatch),
  )
  serve('discardDraft', ({ caller, params }) => discardDraft(deps, caller, params.draftId))
}
