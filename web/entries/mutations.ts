import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Entry, EntryState } from '#contract/entries.ts'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import { ApiError, currentOf } from '#web/api/api-error.ts'
import { toastFailure } from '#web/api/failure-toast.ts'
import { refreshAllMilestones, refreshMilestones } from '#web/milestones/queries.ts'
import { isNotFound } from '#web/projects/queries.ts'
import { change } from '#web/saving/change.ts'
import { type FormChanges, isUnsettled, saveForm } from '#web/saving/form-changes.ts'
import { deleting, useUndoOffer } from '#web/saving/undo.ts'
import { notFoundMessage, useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import type { EntryInput } from './overlay.ts'
import { entryPath, milestonePath } from './paths.ts'
import { entryQuery, movedEntryQuery, refreshEntryPages, storeEntry } from './queries.ts'
import { withPlace } from './refused-entry.ts'

type MilestoneRef = { projectId: string; milestoneId: string }

/** `version`: on which the text is based; 0 for a new entry. */
type Saving = { input: EntryInput; version: number; form: FormChanges }

function useCreateEntry({ projectId, milestoneId }: MilestoneRef) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useChange({
    mutationFn: ({ input, version, form }: Saving) =>
      endingDraft(input, form.id, () =>
        saveForm(form, {
          version,
          create: (_id) => ({ call: 'createEntry', params: { milestoneId }, body: { ...input, _id } }),
          update: (entryId) => ({
            call: 'updateEntry',
            params: { milestoneId, entryId },
            body: { ...whole(input), milestone: milestoneId },
          }),
        }),
      ).catch(async (error: unknown) => {
        throw await withPlace(client, projectId, error)
      }),
    onSuccess(created) {
      storeEntry(client, created)
      refreshMilestones(client, projectId)
      toast.success('Entry created successfully', {
        label: 'View entry',
        run: () => void navigate(entryPath(projectId, created)),
      })
      warnIfPlain(created)
    },
    failed: 'Failed to create entry',
    onError: (error) => refreshIfRefused(client, projectId, error),
    onSettled: () => refreshEntryPages(client),
  })
}

/** Without events from the server, the milestone may have been deleted elsewhere, or the person's role changed. */
function refreshIfRefused(client: QueryClient, projectId: string, error: Error): void {
  if (isNotFound(error) || (error instanceof ApiError && error.status === 403))
    refreshMilestones(client, projectId)
}

/** The fields of a new entry as those of a change, in which an omitted one would stay as it is. */
const whole = (input: EntryInput) => ({
  ...input,
  state: input.state ?? ('published' as const),
  coverFile: input.coverFile === undefined ? DEFAULT_COVER : input.coverFile,
})

/**
 * Saves an entry, with which its draft ends. A draft that was stored again after an earlier attempt is discarded; if that fails, it
 * remains in the list, with a button that discards it.
 */
async function endingDraft<T>(
  { draft }: EntryInput,
  entryId: string | undefined,
  save: () => Promise<T>,
): Promise<T> {
  const isRepeated = isUnsettled(entryId)
  const saved = await save()
  if (isRepeated && draft !== undefined)
    change('discardDraft', { params: { draftId: draft } }).catch(() => undefined)
  return saved
}

function useUpdateEntry({ projectId, milestoneId }: MilestoneRef, entryId: string) {
  const client = useQueryClient()
  const { mutate: setState } = useEntryState(projectId)
  return useChange({
    mutationFn: ({ input, version, form }: Saving) =>
      endingDraft(input, entryId, () =>
        saveForm(form, {
          version,
          update: () => ({ call: 'updateEntry', params: { milestoneId, entryId }, body: input }),
        }),
      ),
    onSuccess(updated, { input }) {
      storeEntry(client, updated)
      if (input.milestone || input.state) refreshAllMilestones(client)
      const isWithdrawn = input.state === 'draft' && updated.publishedAt !== null
      toast.success(
        'Entry updated successfully',
        isWithdrawn
          ? { label: 'Publish again', run: () => setState({ entry: updated, state: 'published' }) }
          : undefined,
        isWithdrawn ? { details: 'Only you can see it now.' } : undefined,
      )
      warnIfPlain(updated)
    },
    onError(error) {
      // A stale entry is merged, or is a conflict. A missing one may have been moved: the composer looks for it.
      if (!currentOf(error) && !notFoundMessage(error)) toastFailure(error, 'Failed to update entry')
      refreshIfRefused(client, projectId, error)
    },
    onSettled: () => refreshEntryPages(client),
  })
}

/** Creates an entry, or updates one unless somebody else has changed it since `version`. */
export function useSaveEntry(milestone: MilestoneRef, entryId: string | undefined) {
  const write = useCreateEntry(milestone)
  const rewrite = useUpdateEntry(milestone, entryId ?? '')
  return (saving: Saving): Promise<Entry> =>
    entryId ? rewrite.mutateAsync(saving) : write.mutateAsync(saving)
}

/** Publishes an entry, or unpublishes it: then only its author sees it. `Undo` does the opposite. */
export function useEntryState(projectId: string) {
  const client = useQueryClient()
  const state = useChange({
    mutationFn: ({ entry: { milestone: milestoneId, _id: entryId }, state }: StateChange) =>
      change('updateEntry', { params: { milestoneId, entryId }, body: { state } }),
    onSuccess(updated, { entry, state, isUndo }) {
      storeEntry(client, updated)
      if (isUndo) return toast.success('Undone')
      const opposite = state === 'draft' ? 'published' : 'draft'
      const text = state === 'draft' ? 'Unpublished. Only you can see it now.' : 'Entry published'
      toast.success(text, { label: 'Undo', run: () => mutate({ entry, state: opposite, isUndo: true }) })
    },
    failed: 'Failed to update entry',
    onSettled() {
      refreshEntryPages(client)
      refreshMilestones(client, projectId)
    },
  })
  const { mutate } = state
  return state
}

type StateChange = { entry: Entry; state: EntryState; isUndo?: true }

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

  return useChange({
    mutationFn: ({ milestone: milestoneId, _id: entryId }: Entry) =>
      deleting('deleteEntry', { params: { milestoneId, entryId } }),
    onSuccess(deletionId, { milestone, _id }) {
      offerUndo('Entry deleted successfully', deletionId, milestonePath(projectId, milestone))
      client.removeQueries({ queryKey: entryQuery(milestone, _id).queryKey, type: 'inactive' })
    },
    onError(error, entry) {
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
