import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { dayIn } from '#contract/day.ts'
import type { Entry, EntryPage } from '#contract/entries.ts'
import { currentOf } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { type CacheChange, changeCached, useOptimisticMutation } from '#web/api/optimistic.ts'
import { create, update } from '#web/api/saving.ts'
import { refreshAllMilestones, refreshMilestones } from '#web/milestones/queries.ts'
import { deleting, useUndoOffer } from '#web/trash/undo.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { allEntriesKey, entryPagesKey } from './keys.ts'
import { type EntryInput, temporaryEntry, withEntry, withInput, withoutEntry } from './optimistic-entries.ts'
import {
  type EntryWithHtml,
  entryQuery,
  refreshEntryPages,
  storeEntry,
  takesNewEntries,
  withChanged,
} from './queries.ts'

type MilestoneRef = { projectId: string; milestoneId: string }

/** Changes the cached pages of a milestone and those of its whole project. */
const changePages = (
  { milestoneId, projectId }: MilestoneRef,
  change: (page: EntryPage, key: QueryKey) => EntryPage,
): CacheChange[] => [milestoneId, projectId].map((id) => changeCached(entryPagesKey(id), change))

function useCreateEntry({ projectId, milestoneId }: MilestoneRef) {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: entryPagesKey(milestoneId),
    mutationFn: (input: EntryInput) =>
      create('createEntry', { params: { milestoneId }, body: input }, repeatedEntry(milestoneId, input)),
    changes: (input, temporaryId) =>
      changePages({ projectId, milestoneId }, (page, key) =>
        takesNewEntries(key) ? withEntry(page, temporaryEntry(temporaryId, milestoneId, input)) : page,
      ),
    onSuccess(created, _input, temporaryId) {
      storeEntry(client, created, temporaryId)
      refreshMilestones(client, projectId)
      toast.success('Entry created successfully')
      warnIfPlain(created)
    },
    onFailure: 'Failed to create entry',
    onSettled: () => refreshEntryPages(client),
  })
}

/** A new entry is the same when it is sent again a moment later, or with a draft that was saved meanwhile, which is then discarded. */
function repeatedEntry(milestoneId: string, { draft, happenedAt, ...input }: EntryInput) {
  const { happenedZone } = input
  const day = happenedAt && happenedZone && dayIn(happenedZone, new Date(happenedAt))
  return {
    identity: [milestoneId, input, day],
    onRepeat() {
      if (!draft) return
      // Where that fails, the draft is listed, with a button that discards it.
      request('discardDraft', { params: { draftId: draft } }).catch(() => undefined)
    },
  }
}

type Update = { input: EntryInput; version: number }

function useUpdateEntry({ projectId, milestoneId }: MilestoneRef, entryId: string) {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: entryPagesKey(milestoneId),
    scope: { id: `entry ${entryId}` },
    mutationFn: ({ input, version }: Update) =>
      update('updateEntry', { params: { milestoneId, entryId }, body: input }, version),
    changes({ input, version }) {
      const changed = (old: EntryWithHtml) => ({ ...withInput(old, input), version: version + 1 })
      return [
        ...changePages({ projectId, milestoneId }, (page) => withChanged(page, entryId, changed)),
        changeCached(entryQuery(milestoneId, entryId).queryKey, changed),
      ]
    },
    onSuccess(updated, { input }) {
      storeEntry(client, updated)
      if (input.milestone || input.state) refreshAllMilestones(client)
      toast.success('Entry updated successfully')
      warnIfPlain(updated)
    },
    onStale: (current) => storeEntry(client, current),
    onFailure(error) {
      // What is stale is merged, or asked about.
      if (!currentOf(error)) toast.error('Failed to update entry')
    },
    onSettled: () => refreshEntryPages(client),
  })
}

/** Creates an entry, or updates one unless somebody else has changed it since `version`. */
export function useSaveEntry(milestone: MilestoneRef, entryId: string | undefined) {
  const write = useCreateEntry(milestone)
  const change = useUpdateEntry(milestone, entryId ?? '')
  return (input: EntryInput, version: number): Promise<Entry> =>
    entryId ? change.mutateAsync({ input, version }) : write.mutateAsync(input)
}

/** Moves an entry to the trash. */
export function useDeleteEntry(projectId: string) {
  const client = useQueryClient()
  const offerUndo = useUndoOffer()
  return useOptimisticMutation({
    mutationKey: allEntriesKey,
    mutationFn: ({ milestone: milestoneId, _id: entryId }: Entry) =>
      deleting('deleteEntry', { params: { milestoneId, entryId } }),
    changes: ({ milestone: milestoneId, _id }) =>
      changePages({ projectId, milestoneId }, (page) => withoutEntry(page, _id)),
    onSuccess(deletionId, { milestone, _id }) {
      offerUndo('Entry deleted successfully', deletionId)
      client.removeQueries({ queryKey: entryQuery(milestone, _id).queryKey, type: 'inactive' })
      refreshMilestones(client, projectId)
    },
    onFailure: 'Failed to delete entry',
    onSettled: () => refreshEntryPages(client),
  })
}

function warnIfPlain({ renderedAs }: Entry) {
  if (renderedAs === 'plain')
    toast.info(
      'All of it is saved, but its Markdown is too complex to be formatted: it is shown as plain text.',
    )
}
