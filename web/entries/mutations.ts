import { useQueryClient } from '@tanstack/react-query'
import type { Entry, EntryPage } from '#contract/entries.ts'
import { request } from '#web/api/client.ts'
import { changeCached, refresh, useOptimisticMutation } from '#web/api/optimistic.ts'
import { refreshAllMilestones, refreshMilestones } from '#web/milestones/queries.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { type EntryInput, temporaryEntry, withEntry, withInput, withoutEntry } from './optimistic-entries.ts'
import {
  type EntryWithHtml,
  entryPagesKey,
  entryQuery,
  storeEntry,
  takesNewEntries,
  withChanged,
} from './queries.ts'

type MilestoneRef = { projectId: string; milestoneId: string }

function useCreateEntry({ projectId, milestoneId }: MilestoneRef) {
  const client = useQueryClient()
  const queryKey = entryPagesKey(milestoneId)
  return useOptimisticMutation({
    mutationKey: queryKey,
    mutationFn: (input: EntryInput) => request('createEntry', { params: { milestoneId }, body: input }),
    changes: (input, temporaryId) => [
      changeCached(queryKey, (page: EntryPage, key) =>
        takesNewEntries(key) ? withEntry(page, temporaryEntry(temporaryId, milestoneId, input)) : page,
      ),
    ],
    onSuccess(created, _input, temporaryId) {
      storeEntry(client, created, temporaryId)
      refreshMilestones(client, projectId)
      toast.success('Entry created successfully')
      warnIfPlain(created)
    },
    onFailure: 'Failed to create entry',
    onSettled: () => refresh(client, queryKey),
  })
}

type Update = { input: EntryInput; version: number }

function useUpdateEntry(milestoneId: string, entryId: string) {
  const client = useQueryClient()
  const queryKey = entryPagesKey(milestoneId)
  return useOptimisticMutation({
    mutationKey: queryKey,
    scope: { id: `entry ${entryId}` },
    mutationFn: ({ input, version }: Update) =>
      request('updateEntry', { params: { milestoneId, entryId }, body: input }, { ifMatch: version }),
    changes({ input, version }) {
      const changed = (old: EntryWithHtml) => ({ ...withInput(old, input), version: version + 1 })
      return [
        changeCached(queryKey, (page: EntryPage) => withChanged(page, entryId, changed)),
        changeCached(entryQuery(milestoneId, entryId).queryKey, changed),
      ]
    },
    onSuccess(updated, { input }) {
      storeEntry(client, updated)
      if (input.milestone) refresh(client, entryPagesKey(updated.milestone))
      if (input.milestone || input.state) refreshAllMilestones(client)
      toast.success('Entry updated successfully')
      warnIfPlain(updated)
    },
    onStale: (current) => storeEntry(client, current),
    onFailure: 'Failed to update entry',
    onSettled: () => refresh(client, queryKey),
  })
}

/** Creates an entry, or updates one unless somebody else has changed it since `version`. */
export function useSaveEntry(milestone: MilestoneRef, entryId: string | undefined) {
  const create = useCreateEntry(milestone)
  const update = useUpdateEntry(milestone.milestoneId, entryId ?? '')
  return (input: EntryInput, version: number): Promise<Entry> =>
    entryId ? update.mutateAsync({ input, version }) : create.mutateAsync(input)
}

/** Deletes an entry. */
export function useDeleteEntry({ projectId, milestoneId }: MilestoneRef) {
  const client = useQueryClient()
  const queryKey = entryPagesKey(milestoneId)
  return useOptimisticMutation({
    mutationKey: queryKey,
    mutationFn: (entryId: string) => request('deleteEntry', { params: { milestoneId, entryId } }),
    changes: (entryId) => [changeCached(queryKey, (page: EntryPage) => withoutEntry(page, entryId))],
    onSuccess(_nothing, entryId) {
      client.removeQueries({ queryKey: entryQuery(milestoneId, entryId).queryKey, type: 'inactive' })
      refreshMilestones(client, projectId)
    },
    successText: 'Entry deleted successfully',
    onFailure: 'Failed to delete entry',
    onSettled: () => refresh(client, queryKey),
  })
}

function warnIfPlain({ renderedAs }: Entry) {
  if (renderedAs === 'plain')
    toast.info(
      'All of it is saved, but its Markdown is too complex to be formatted: it is shown as plain text.',
    )
}
