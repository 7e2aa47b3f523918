import { DELETION_ID } from '#contract/trash.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/calls.ts'
import type { RunSearch } from '#server/platform/load/search.ts'
import { createFromForm, updateFromForm } from './forms.ts'
import { moveEntries } from './move.ts'
import { listEntryPage } from './pages.ts'
import { locateEntry, readEntry } from './reading.ts'
import { deleteEntry } from './service.ts'
import { streamEntries } from './stream.ts'
import { renameTag } from './tags.ts'

type EntryOptions = { entryImages: boolean; search: RunSearch }

export function entryRoutes(serve: Serve, deps: AppDeps, { entryImages, search }: EntryOptions): void {
  serve('readEntryOptions', async () => ({
    images: entryImages,
    files: deps.fileSettings.fileLimits,
  }))
  serve('listEntries', ({ caller, client, params: { milestoneId }, query: { page, ...filters } }) =>
    page === undefined
      ? streamEntries(deps, caller, milestoneId)
      : listEntryPage(deps, { caller, client, search }, { milestoneId }, { ...filters, page }),
  )
  serve('listProjectEntries', ({ caller, client, params, query }) =>
    listEntryPage(deps, { caller, client, search }, params, query),
  )
  serve('readEntry', ({ caller, params }) => readEntry(deps, caller, params))
  serve('locateEntry', ({ caller, params }) => locateEntry(deps, caller, params.entryId))
  serve('createEntry', ({ caller, params, body, upload, change }) =>
    createFromForm(deps, caller, params.milestoneId, { fields: body, upload }, change),
  )
  serve('updateEntry', ({ caller, params, body, upload, ifMatch, change }) => {
    const { removeImage, merged, ...fields } = body
    const cause = merged ? 'merge' : 'save'
    return updateFromForm(deps, caller, params, { fields, removeImage, cause, upload }, ifMatch, change)
  })
  serve('moveEntries', ({ caller, params, body }) => moveEntries(deps, caller, params.projectId, body))
  serve('renameTag', ({ caller, params, body }) => renameTag(deps, caller, params, body))
  serve('deleteEntry', async ({ caller, params, setHeader, change }) =>
    setHeader(DELETION_ID, await deleteEntry(deps, caller, params, change)),
  )
}
