import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Entry, EntryPage } from '#contract/entries.ts'
import { overtakenBy } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { changeOptimistically, refresh, unsavedId } from '#web/api/optimistic.ts'
import { refreshMilestones } from '#web/milestones/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { withChanged, withEntry, withoutEntry } from './page-changes.ts'
import { type EntryToRead, entryPagesKey, entryQuery, storeEntry, takesNewEntries } from './queries.ts'
import { beginningOf, shownAs, type Written } from './written.ts'

type Milestone = { projectId: string; milestoneId: string }

/** Writes an entry; it stands in the list before the server has answered. */
function useCreateEntry({ projectId, milestoneId }: Milestone) {
  const client = useQueryClient()
  const queryKey = entryPagesKey(milestoneId)
  return useMutation({
    mutationKey: queryKey,
    mutationFn: (fields: Written) => request('createEntry', { params: { milestoneId }, body: fields }),
    onMutate: async (fields) => {
      const unsaved = unsavedEntry(milestoneId, fields)
      const undo = await changeOptimistically(client, queryKey, (page: EntryPage, key) =>
        takesNewEntries(key) ? withEntry(page, unsaved) : page,
      )
      return { unsaved, undo }
    },
    onSuccess: (created, _fields, { unsaved }) => {
      storeEntry(client, created, unsaved._id)
      refreshMilestones(client, projectId)
      toast.success('Entry created successfully')
      tellWhetherPlain(created)
    },
    onError: (_error, _fields, shown) => {
      shown?.undo()
      toast.error('Failed to create entry')
    },
    onSettled: () => refresh(client, queryKey),
  })
}

type Update = { fields: Written; version: number }

/** Changes an entry, unless somebody else did since `version`. */
function useUpdateEntry(milestoneId: string, entryId: string) {
  const client = useQueryClient()
  const queryKey = entryPagesKey(milestoneId)
  return useMutation({
    mutationKey: queryKey,
    scope: { id: `entry ${entryId}` },
    mutationFn: ({ fields, version }: Update) =>
      request('updateEntry', { params: { milestoneId, entryId }, body: fields }, { ifMatch: version }),
    onMutate: async ({ fields, version }) => {
      const changed = (old: EntryToRead) => ({ ...shownAs(old, fields), version: version + 1 })
      const undoPages = await changeOptimistically(client, queryKey, (page: EntryPage) =>
        withChanged(page, entryId, changed),
      )
      const undoOne = await changeOptimistically(client, entryQuery(milestoneId, entryId).queryKey, changed)
      return () => {
        undoPages()
        undoOne()
      }
    },
    onSuccess: (updated) => {
      storeEntry(client, updated)
      toast.success('Entry updated successfully')
      tellWhetherPlain(updated)
    },
    onError: (error, _update, undo) => {
      undo?.()
      const current = overtakenBy(error) as Entry | null
      if (current) storeEntry(client, current)
      toast.error('Failed to update entry')
    },
    onSettled: () => refresh(client, queryKey),
  })
}

/** Writes a new entry, or changes one unless somebody else did since `version`. */
export function useSaveEntry(milestone: Milestone, entryId: string | undefined) {
  const create = useCreateEntry(milestone)
  const update = useUpdateEntry(milestone.milestoneId, entryId ?? '')
  return (fields: Written, version: number): Promise<Entry> =>
    entryId ? update.mutateAsync({ fields, version }) : create.mutateAsync(fields)
}

/** Deletes an entry; it leaves the list at once. */
export function useDeleteEntry({ projectId, milestoneId }: Milestone) {
  const client = useQueryClient()
  const queryKey = entryPagesKey(milestoneId)
  return useMutation({
    mutationKey: queryKey,
    mutationFn: (entryId: string) => request('deleteEntry', { params: { milestoneId, entryId } }),
    onMutate: (entryId) =>
      changeOptimistically(client, queryKey, (page: EntryPage) => withoutEntry(page, entryId)),
    onSuccess: (_nothing, entryId) => {
      client.removeQueries({ queryKey: entryQuery(milestoneId, entryId).queryKey, type: 'inactive' })
      refreshMilestones(client, projectId)
      toast.success('Entry deleted successfully')
    },
    onError: (_error, _entryId, undo) => {
      undo?.()
      toast.error('Failed to delete entry')
    },
    onSettled: () => refresh(client, queryKey),
  })
}

function tellWhetherPlain({ renderedAs }: Entry) {
  if (renderedAs === 'plain')
    toast.info(
      'All of it is saved, but its Markdown is too complex to be formatted: it is shown as plain text.',
    )
}

function unsavedEntry(milestoneId: string, { title, content, tags }: Written): Entry {
  const now = new Date().toISOString()
  return {
    _id: unsavedId(),
    title,
    content,
    tags,
    excerpt: beginningOf(content),
    wordCount: 0,
    renderedAs: 'markdown',
    milestone: milestoneId,
    createdAt: now,
    updatedAt: now,
    version: 1,
  }
}
