import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/calls.ts'
import type { RunSearch } from '#server/platform/load/search.ts'
import { listEntryPage } from './pages.ts'
import { createEntry, deleteEntry, readEntry, updateEntry } from './service.ts'
import { streamEntries } from './stream.ts'

type EntryOptions = { entryImages: boolean; search: RunSearch }

export function entryRoutes(serve: Serve, deps: AppDeps, { entryImages, search }: EntryOptions): void {
  serve('readEntryOptions', async () => ({
    images: entryImages,
    files: deps.fileSettings.fileLimits,
  }))
  serve('listEntries', ({ caller, client, params: { milestoneId }, query: { page, ...filters } }) =>
    page === undefined
      ? streamEntries(deps, caller, milestoneId)
      : listEntryPage(deps, { caller, client, search }, milestoneId, { ...filters, page }),
  )
  serve('readEntry', ({ caller, params }) => readEntry(deps, caller, params))
  serve('createEntry', ({ caller, params, body, upload }) =>
    createEntry(deps, caller, params.milestoneId, { fields: body, upload }),
  )
  serve('updateEntry', ({ caller, params, body: { removeImage, ...fields }, upload, ifMatch }) =>
    updateEntry(deps, caller, params, { fields, upload, removeImage }, ifMatch),
  )
  serve('deleteEntry', ({ caller, params }) => deleteEntry(deps, caller, params))
}
