import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Draft, DraftFields, ListedDraft } from '#contract/drafts.ts'
import { currentOf } from '#web/api/api-error.ts'
import { change } from '#web/api/change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { discardDraft, draftsQuery, forgetDiscarded, readDraft } from './queries.ts'

/** What a draft is called: by its title, else its first words. */
export const nameOf = ({ title, excerpt }: ListedDraft): string =>
  title.trim() || excerpt || 'Without a title'

/** The drafts that are about to be discarded: a second press does nothing. */
const discarding = new Set<string>()

/** Returns what discards a draft of mine and offers to undo that; it resolves to whether the draft is gone. */
export function useDiscard(personId: string | undefined) {
  const client = useQueryClient()
  const { queryKey } = draftsQuery(personId)

  return async function discard(draftId: string): Promise<boolean> {
    if (discarding.has(draftId)) return false
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
    toast.success('Draft discarded', { label: 'Undo', run: bringBack })

    /** A failure leaves the text in this page only: the message offers to send it again. */
    async function restore(draft: Draft) {
      try {
        await restoreDraft(personId, draft)
      } catch {
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

/** Takes a draft off the list that the server does not have any more, and says so. */
export function reportGone(client: QueryClient, personId: string | undefined, draftId: string): void {
  drop(client, personId, draftId)
  toast.info('This draft was saved or discarded elsewhere')
}

function drop(client: QueryClient, personId: string | undefined, draftId: string): void {
  client.setQueryData(draftsQuery(personId).queryKey, (drafts) =>
    drafts?.filter(({ _id }) => _id !== draftId),
  )
}

/** Puts a draft back that was just discarded, also where discarding it has failed and it is still there. Throws ApiError. */
async function restoreDraft(personId: string | undefined, draft: Draft): Promise<void> {
  forgetDiscarded(personId, draft._id)
  const { title, content, tags, entry, milestone, target, baseVersion, coverFile, happenedOn } = draft
  const body: DraftFields = {
    title,
    content,
    tags,
    entry: entry?._id ?? null,
    milestone: target?.milestoneId ?? (entry ? null : (milestone?._id ?? null)),
    baseVersion,
    coverFile,
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
