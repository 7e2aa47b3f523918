import type { RenderedEntry } from '#contract/entries.ts'
import type { AppDeps } from '#server/deps.ts'
import { withFormImage } from '#server/files/form-image.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import type { Upload } from '#server/platform/api/uploads.ts'
import { type Change, findTaker, hasChange } from '#server/platform/changes/changes.ts'
import type { EntryRef } from './reading.ts'
import { findEntryForSave } from './saving-store.ts'
import { createEntry, findSent, type NewEntryFields, readAgain } from './service.ts'
import { type EntryUpdate, updateEntry } from './updating.ts'

type WithImage = { upload: Upload | null }

/**
 * Creates an entry, with the image of its form as its cover. A repetition stores no image, for which there may no longer be room.
 * Throws like `createEntry` and `withFormImage`.
 */
export async function createFromForm(
  deps: AppDeps,
  caller: Caller,
  milestoneId: string,
  { fields, upload }: { fields: NewEntryFields } & WithImage,
  change: Change,
): Promise<RenderedEntry> {
  const sent = upload && (await findSent(deps.db, caller, await findTaker(deps.db, change.newId), change))
  if (sent) return readAgain(deps, caller, sent)
  return withFormImage(deps, caller, milestoneId, upload, (coverFile = fields.coverFile) =>
    createEntry(deps, caller, milestoneId, { ...fields, coverFile }, change),
  )
}

/** Updates an entry, with the image of the form as its new cover. Throws like `updateEntry` and `withFormImage`. */
export async function updateFromForm(
  deps: AppDeps,
  caller: Caller,
  ref: EntryRef,
  { fields, upload, ...update }: EntryUpdate & WithImage,
  ifMatch: number | undefined,
  change: Change,
): Promise<RenderedEntry> {
  const { milestoneId, entryId } = ref
  const before = upload && (await findEntryForSave(deps.db, milestoneId, entryId, caller.userId))
  const sent = before && hasChange(before, change) ? null : upload
  return withFormImage(deps, caller, milestoneId, sent, (coverFile = fields.coverFile) =>
    updateEntry(deps, caller, ref, { ...update, fields: { ...fields, coverFile } }, ifMatch, change),
  )
}
