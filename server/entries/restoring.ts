import type { RenderedEntry } from '#contract/entries.ts'
import type { AppDeps } from '#server/deps.ts'
import { type RevisionRef, readRestored } from '#server/history/service.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import type { Change } from '#server/platform/changes/changes.ts'
import { updateEntry } from './updating.ts'

/** Restores a revision of an entry as a new one. Throws the same errors as `updateEntry`. */
export async function restoreRevision(
  deps: AppDeps,
  caller: Caller,
  ref: RevisionRef,
  ifMatch: number | undefined,
  sent: Change,
): Promise<RenderedEntry> {
  const fields = await readRestored(deps, caller, ref)
  return updateEntry(deps, caller, ref, { fields, cause: 'restore' }, ifMatch, sent)
}
