import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Draft, DraftFields } from '#contract/drafts.ts'
import { currentOf } from '#web/api/api-error.ts'
import { watchSession } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { newId } from '#web/api/ids.ts'
import { change } from '#web/saving/change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { discardDraft, draftsKey, readDraft } from './queries.ts'

const notDiscarded = 'The draft could not be discarded. Check your connection and try again.'

/** The drafts that are being read before they are discarded, so that a second press is ignored. */
const discarding = new Set<string>()

/** Returns a function that discards a draft and offers to undo that; it resolves to whether the draft is not shown any more. */
export function useDiscard() {
  const client = useQueryClient()

  return async function discard(draftId: string): Promise<boolean> {
    if (discarding.has(draftId)) return false
    const isSessionOver = watchSession()
    discarding.add(draftId)
    const whole = await readDraft(draftId)
      .catch(() => undefined)
      .finally(() => discarding.delete(draftId))
    if (whole === undefined) {
      toast.error(notDiscarded)
      return false
    }
    if (whole === null) {
      reportGone(client)
      return true
    }
    const undo = { label: 'Undo', run: () => void bringBack(client, fieldsOf(whole), draftId) }
    discardDraft(draftId).then(
      () => isSessionOver() || toast.success('Draft discarded', undo),
      (error: unknown) => isSessionOver() || toastError(error, notDiscarded),
    )
    return true
  }
}

/**
 * Stores a discarded text as a draft again: if its entry has another draft by now, as that of a new entry. If that fails, the text exists
 * only in this page, so the message offers to retry.
 */
export async function bringBack(client: QueryClient, fields: DraftFields, draftId = newId()): Promise<void> {
  const isSessionOver = watchSession()
  try {
    await change('saveDraft', { params: { draftId }, body: fields })
  } catch (error) {
    if (isSessionOver()) return
    const there = currentOf(error) as Draft | null
    if (there && there._id !== draftId)
      return bringBack(client, { ...fields, entry: null, baseVersion: null })
    if (!there) {
      const retry = { label: 'Try again', run: () => void bringBack(client, fields, draftId) }
      return toast.error('The draft could not be brought back. Check your connection.', retry)
    }
  }
  toast.success('The draft is back among your drafts')
  void client.invalidateQueries({ queryKey: draftsKey })
}

/** Reports that a draft no longer exists on the server, and fetches the list without it. */
export function reportGone(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: draftsKey })
  toast.info('This draft was saved or discarded elsewhere')
}

/** Returns the fields with which a draft is stored again as it was. */
function fieldsOf(draft: Draft): DraftFields {
  const { title, content, tags, entry, milestone, target, baseVersion, coverFile, happenedOn, version } =
    draft
  return {
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
}
