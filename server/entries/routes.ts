import { FIRST_PAGE } from '#contract/entries.ts'
import { DELETION_ID } from '#contract/trash.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import { deleteEntries } from './bulk/delete.ts'
import { moveEntries } from './bulk/move.ts'
import { listTags, renameTag } from './bulk/rename-tag.ts'
import { undoBulkChange } from './bulk/undo.ts'
import { createFromForm, updateFromForm } from './forms.ts'
import { listEntryPage } from './pages.ts'
import { locateEntry, readEntry } from './reading.ts'
import { restoreRevision } from './restoring.ts'
import { deleteEntry } from './service.ts'
import { streamEntries } from './stream.ts'

type EntryOptions = { entryImages: boolean; search: RunSearch }

export function entryRoutes(serve: Serve, deps: AppDeps, { entryImages, search }: EntryOptions): void {
  const options = { images: entryImages, files: deps.fileSettings.fileLimits }
  serve('readEntryOptions', async () => options)
  serve('listEntries', ({ caller, client, params: { milestoneId }, query }) =>
    Object.keys(query).length === 0
      ? streamEntries(deps, caller, milestoneId)
      : listEntryPage(deps, { caller, client, search }, { milestoneId }, { ...FIRST_PAGE, ...query }),
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
  serve('restoreRevision', ({ caller, params, ifMatch, change }) =>
    restoreRevision(deps, caller, params, ifMatch, change),
  )
  serve('listTags', ({ caller, params }) => listTags(deps, caller, params.projectId))
  serve('renameTag', ({ caller, params, body, change }) => renameTag(deps, caller, params, body, change))
  serve('moveEntries', ({ caller, params, body, change }) =>
    moveEntries(deps, caller, params.projectId, body, change),
  )
  serve('deleteEntries', ({ caller, params, body, change }) =>
    deleteEntries(deps, caller, params.projectId, body, change),
  )
  serve('undoBulkChange', ({ caller, params }) => undoBulkChange(deps, caller, params))
  serve('deleteEntry', async ({ caller, params, setHeader, change }) =>
    setHeader(DELETION_ID, await deleteEntry(deps, caller, params, change)),
  )
}
