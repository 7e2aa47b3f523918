import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { DEFAULT_COVER } from '#contract/covers.ts'
import { dayIn } from '#contract/date-formats.ts'
import type { Entry, EntryListPage } from '#contract/entries.ts'
import { ApiError, currentOf } from '#web/api/api-error.ts'
import { change, isMissing } from '#web/api/change.ts'
import { request } from '#web/api/client.ts'
import { toastFailure } from '#web/api/failure-toast.ts'
import {
  type CacheChange,
  changeCached,
  notFoundMessage,
  useOptimisticMutation,
} from '#web/api/optimistic.ts'
import { create, type SendingForm, update } from '#web/api/saving.ts'
import { refreshAllMilestones, refreshMilestones } from '#web/milestones/queries.ts'
import { isNotFound } from '#web/projects/queries.ts'
import { deleting, useUndoOffer } from '#web/trash/undo.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { allEntriesKey, entryPagesKey } from './keys.ts'
import { type EntryInput, temporaryEntry, withEntry, withInput, withoutEntry } from './optimistic-entries.ts'
import { milestonePath } from './paths.ts'
import {
  type EntryWithHtml,
  entryQuery,
  movedEntryQuery,
  refreshEntryPages,
  storeEntry,
  takesNewEntries,
  withChanged,
} from './queries.ts'

type MilestoneRef = { projectId: string; milestoneId: string }

/** Changes the cached pages of a milestone and those of its whole project. */
const changePages = (
  { milestoneId, projectId }: MilestoneRef,
  change: (page: EntryListPage, key: QueryKey) => EntryListPage,
): CacheChange[] => [milestoneId, projectId].map((id) => changeCached(entryPagesKey(id), change))

type Creation = { input: EntryInput; form: SendingForm }

function useCreateEntry({ projectId, milestoneId }: MilestoneRef) {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: entryPagesKey(milestoneId),
    mutationFn: ({ input, form }: Creation) =>
      create(
        'createEntry',
        { params: { milestoneId }, body: input },
        { form, ...repeatedEntry(milestoneId, input, form) },
      ),
    changes: ({ input }, temporaryId) =>
      changePages({ projectId, milestoneId }, (page, key) =>
        takesNewEntries(key) ? withEntry(page, temporaryEntry(temporaryId, milestoneId, input)) : page,
      ),
    onSuccess(created, _input, temporaryId) {
      storeEntry(client, created, temporaryId)
      refreshMilestones(client, projectId)
      toast.success('Entry created successfully')
      warnIfPlain(created)
    },
    onFailure(error) {
      toastFailure(error, notFoundMessage(error) ?? 'Failed to create entry')
      refreshIfRefused(client, projectId, error)
    },
    onSettled: () => refreshEntryPages(client),
  })
}

/** Without events from the server, the milestone may have been deleted elsewhere, or the person's role changed. */
function refreshIfRefused(client: QueryClient, projectId: string, error: Error): void {
  if (isNotFound(error) || (error instanceof ApiError && error.status === 403))
    refreshMilestones(client, projectId)
}

/** How to repeat the creation of an entry. It is the same entry regardless of its time and its draft, which a repeat discards. */
function repeatedEntry(milestoneId: string, input: EntryInput, form: SendingForm) {
  const { draft, happenedAt, coverFile = DEFAULT_COVER, ...rest } = input
  const { happenedZone, state = 'published' } = input
  const day = happenedAt && happenedZone && dayIn(happenedZone, new Date(happenedAt))
  return {
    identity: [milestoneId, rest, coverFile, day],
    onRepeat: () => discardIfAny(draft),
    amend: ({ _id: entryId, milestone, version }: Entry) =>
      update(
        'updateEntry',
        {
          params: { milestoneId: milestone, entryId },
          // An omitted state is that of a new entry.
          body: { ...input, state, coverFile, ...(milestone !== milestoneId && { milestone: milestoneId }) },
        },
        version,
        { form, onRepeat: () => discardIfAny(draft) },
      ),
  }
}

/** If the draft of a saved entry cannot be discarded, it remains in the list, with a button that discards it. */
function discardIfAny(draft: string | undefined): void {
  if (draft !== undefined) change('discardDraft', { params: { draftId: draft } }).catch(() => undefined)
}

type Update = { input: EntryInput; version: number; form: SendingForm }

function useUpdateEntry({ projectId, milestoneId }: MilestoneRef, entryId: string) {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: entryPagesKey(milestoneId),
    scope: { id: `entry ${entryId}` },
    mutationFn: (sent: Update) => sendUpdate({ milestoneId, entryId }, sent),
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
      // A stale entry is merged, or is a conflict. A missing one may have been moved: the composer looks for it.
      if (!currentOf(error) && !notFoundMessage(error)) toastFailure(error, 'Failed to update entry')
      refreshIfRefused(client, projectId, error)
    },
    onSettled: () => refreshEntryPages(client),
  })
}

/** Updates an entry. If an earlier attempt has moved it, it is in the other milestone. */
async function sendUpdate(
  { milestoneId, entryId }: { milestoneId: string; entryId: string },
  { input, version, form }: Update,
): Promise<Entry> {
  const send = (milestone: string) =>
    update('updateEntry', { params: { milestoneId: milestone, entryId }, body: input }, version, {
      form,
      onRepeat: () => discardIfAny(input.draft),
    })
  try {
    return await send(milestoneId)
  } catch (error) {
    const { milestone } = input
    if (milestone === undefined || !isNotFound(error)) throw error
    return send(milestone).catch((other: unknown) => Promise.reject(isNotFound(other) ? error : other))
  }
}

/** Creates an entry, or updates one unless somebody else has changed it since `version`. */
export function useSaveEntry(milestone: MilestoneRef, entryId: string | undefined) {
  const write = useCreateEntry(milestone)
  const rewrite = useUpdateEntry(milestone, entryId ?? '')
  return (input: EntryInput, version: number, form: SendingForm): Promise<Entry> =>
    entryId ? rewrite.mutateAsync({ input, version, form }) : write.mutateAsync({ input, form })
}

/** Moves an entry to the trash. */
export function useDeleteEntry(projectId: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const offerUndo = useUndoOffer()

  /** Without events from the server, it may have been moved or deleted elsewhere. */
  async function reportAbsence({ milestone, _id }: Entry) {
    void client.invalidateQueries({ queryKey: entryQuery(milestone, _id).queryKey })
    const moved = await client.fetchQuery(movedEntryQuery(milestone, _id)).catch(() => null)
    if (moved === null) return toast.error('Entry not found')
    const show = { label: 'Show it', run: () => void navigate(moved) }
    toast.error('This entry was moved elsewhere, so it was not deleted.', show)
  }

  return useOptimisticMutation({
    mutationKey: allEntriesKey,
    mutationFn: ({ milestone: milestoneId, _id: entryId }: Entry) =>
      deleting('deleteEntry', { params: { milestoneId, entryId } }, () =>
        // If it is in another milestone, it was moved.
        isMissing(request('locateEntry', { params: { entryId } })),
      ),
    changes: ({ milestone: milestoneId, _id }) =>
      changePages({ projectId, milestoneId }, (page) => withoutEntry(page, _id)),
    onSuccess(deletionId, { milestone, _id }) {
      offerUndo('Entry deleted successfully', deletionId, milestonePath(projectId, milestone))
      client.removeQueries({ queryKey: entryQuery(milestone, _id).queryKey, type: 'inactive' })
    },
    onFailure(error, entry) {
      if (isNotFound(error)) void reportAbsence(entry)
      else toastFailure(error, 'Failed to delete entry')
    },
    onSettled() {
      refreshEntryPages(client)
      refreshMilestones(client, projectId)
    },
  })
}

function warnIfPlain({ renderedAs }: Entry) {
  if (renderedAs === 'plain')
    toast.info(
      'All of it is saved, but its Markdown is too complex to be formatted: it is shown as plain text.',
    )
}
