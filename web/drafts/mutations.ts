import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Draft, DraftFields } from '#contract/drafts.ts'
import { currentOf } from '#web/api/api-error.ts'
import { watchSession } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { change } from '#web/saving/change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { discardDraft, draftsQuery, readDraft, restoreDiscarded } from './queries.ts'

/** The drafts that are being discarded, so that a second press is ignored. */
const discarding = new Set<string>()

/** Returns a function that discards a draft and offers to undo that; it resolves to whether the draft was removed. */
export function useDiscard(personId: string | undefined) {
  const client = useQueryClient()
  const { queryKey } = draftsQuery(personId)

  return async function discard(draftId: string): Promise<boolean> {
    if (discarding.has(draftId)) return false
    const isSessionOver = watchSession()
    let whole: Awaited<ReturnType<typeof readDraft>>
    discarding.add(draftId)
    try {
      whole = await readDraft(draftId)
    } catch {
      toast.error('The draft could not be discarded. Check your connection and try again.')
      return false
    } finally {
      discarding.delete(draftId)
    }
    if (whole === null) {
      reportGone(client, personId, draftId)
      return true
    }
    drop(client, personId, draftId)
    const discarded = whole
    const bringBack = () => void restore(discarded)
    await discardDraft(personId, draftId)
    if (!isSessionOver()) toast.success('Draft discarded', { label: 'Undo', run: bringBack })

    /** Restores a draft. If that fails, the text exists only in this page, so the message offers to retry. */
    async function restore(draft: Draft) {
      try {
        await restoreDraft(personId, draft)
      } catch {
        if (isSessionOver()) return
        toast.error('The draft could not be brought back. Check your connection.', {
          label: 'Try again',
          run: bringBack,
        })
      }
      void client.invalidateQueries({ queryKey })
    }
    return true
  }
}

/**
 * Stores a discarded text as a draft again, under a new id: if its entry has another draft by now, as that of a new entry. If that
 * fails, the message offers to retry.
 */
export async function bringBack(
  client: QueryClient,
  personId: string | undefined,
  fields: DraftFields,
): Promise<void> {
  const isSessionOver = watchSession()
  try {
    await change('saveDraft', { params: { draftId: newId() }, body: fields })
  } catch (error) {
    if (isSessionOver()) return
    if (fields.entry && currentOf(error) !== null)
      return bringBack(client, personId, { ...fields, entry: null, baseVersion: null })
    toast.error('The draft could not be brought back. Check your connection.', {
      label: 'Try again',
      run: () => void bringBack(client, personId, fields),
    })
    return
  }
  toast.success('The draft is back among your drafts')
  void client.invalidateQueries({ queryKey: draftsQuery(personId).queryKey })
}

/** Removes a draft from the list that no longer exists on the server, and reports that. */
export function reportGone(client: QueryClient, personId: string | undefined, draftId: string): void {
  drop(client, personId, draftId)
  toast.info('This draft was saved or discarded elsewhere')
}

function drop(client: QueryClient, personId: string | undefined, draftId: string): void {
  client.setQueryData(draftsQuery(personId).queryKey, (drafts) =>
    drafts?.filter(({ _id }) => _id !== draftId),
  )
}

/** Restores a draft that was just discarded, also if discarding failed and it still exists. Throws ApiError. */
async function restoreDraft(personId: string | undefined, draft: Draft): Promise<void> {
  restoreDiscarded(personId, draft._id)
  const { title, content, tags, entry, milestone, target, baseVersion, coverFile, happenedOn, version } =
    draft
  const body: DraftFields = {
    title,
    content,
    tags,
    entry: entry?._id ?? null,
    milestone: target?.milestoneId ?? (entry ? null : (milestone?._id ?? null)),
    baseVersion,
    coverFile,
    after: version,
    ...(happenedOn && { happenedAt: `${happenedOn}T12:00:00Z`, happenedZone: 'UTC' }),
  }
  try {
    await change('saveDraft', { params: { draftId: draft._id }, body })
  } catch (error) {
    const there = currentOf(error)
    const isThere = typeof there === 'object' && there !== null && '_id' in there && there._id === draft._id
    if (!isThere) throw error
  }
}
