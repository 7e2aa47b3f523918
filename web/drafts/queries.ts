import { queryOptions } from '@tanstack/react-query'
import type { Draft, ListedDraft } from '#contract/drafts.ts'
import { ApiError } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { change } from '#web/saving/change.ts'
import { eachShown, showing, useShownQuery } from '#web/saving/overlay.ts'
import { pendingChanges } from '#web/saving/pending.ts'

export const draftsKey = ['drafts'] as const

/** The user's autosaved drafts, latest first, without those that are being discarded. */
export const draftsQuery = (personId: string | undefined) =>
  queryOptions({
    queryKey: [...draftsKey, personId],
    queryFn: async ({ signal }) => (await request('listDrafts', {}, { signal })).drafts,
    meta: showing(
      eachShown((drafts: ListedDraft[], { call, thing }) =>
        call === 'discardDraft' ? drafts.filter(({ _id }) => _id !== thing) : drafts,
      ),
    ),
  })

/** Returns the query of the user's drafts, and whether their first fetch is under way. */
export function useMyDrafts(personId: string | undefined) {
  const query = useShownQuery(draftsQuery(personId))
  return { query, isAwaited: query.isPending && query.failureCount === 0 && query.errorUpdateCount === 0 }
}

/** Fetches a draft of the user; null if it does not exist. */
export async function readDraft(draftId: string, signal?: AbortSignal): Promise<Draft | null> {
  try {
    return await request('readDraft', { params: { draftId } }, signal ? { signal } : {})
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** Fetches the user's draft of an entry as lists show it, which contains the entry's current milestone; null if there is none. */
export async function findDraftOf(entryId: string, signal?: AbortSignal): Promise<ListedDraft | null> {
  const { drafts } = await request('listDrafts', { query: { entry: entryId } }, signal ? { signal } : {})
  return drafts[0] ?? null
}

/** Fetches the user's draft of an entry; null if there is none. */
export async function readDraftOf(entryId: string, signal: AbortSignal): Promise<Draft | null> {
  const found = await findDraftOf(entryId, signal)
  return found && !isBeingDiscarded(found._id) ? readDraft(found._id, signal) : null
}

/** The version of a draft of the user, or of that of an entry; null if there is none. */
export const draftVersionQuery = ({
  draftId,
  entryId,
}: {
  draftId?: string | undefined
  entryId?: string | undefined
}) =>
  queryOptions({
    queryKey: [...draftsKey, 'version', entryId ?? draftId],
    queryFn: async ({ signal }): Promise<number | null> => {
      if (entryId !== undefined) return (await findDraftOf(entryId, signal))?.version ?? null
      return draftId === undefined ? null : ((await readDraft(draftId, signal))?.version ?? null)
    },
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Whether a draft is to be discarded, and the server may not know that yet. */
export const isBeingDiscarded = (draftId: string): boolean =>
  pendingChanges.read().some(({ record }) => record.call === 'discardDraft' && record.thing === draftId)

/** Discards a draft, in a later session if the server cannot be reached. Throws ApiError if it does not exist. */
export const discardDraft = (draftId: string): Promise<void> =>
  change('discardDraft', { params: { draftId } })
