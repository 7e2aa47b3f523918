import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Draft, ListedDraft } from '#contract/drafts.ts'
import { ApiError } from '#web/api/api-error.ts'
import { readStoredAs, store } from '#web/api/browser-storage.ts'
import { exchange, request } from '#web/api/client.ts'

export const draftsKey = ['drafts'] as const

/** The user's autosaved drafts, latest first. */
export const draftsQuery = (personId: string | undefined) =>
  queryOptions({
    queryKey: [...draftsKey, personId],
    async queryFn({ signal }): Promise<ListedDraft[]> {
      await discardAgain(personId)
      const { drafts } = await request('listDrafts', {}, { signal })
      return withoutDiscarded(personId, drafts)
    },
  })

/** Returns the query of the user's drafts, and whether their first fetch is under way. */
export function useMyDrafts(personId: string | undefined) {
  const query = useQuery(draftsQuery(personId))
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
export async function readDraftOf(
  personId: string | undefined,
  entryId: string,
  signal: AbortSignal,
): Promise<Draft | null> {
  const found = await findDraftOf(entryId, signal)
  return found && !discarded(personId).includes(found._id) ? readDraft(found._id, signal) : null
}

/** Discards a draft. If the server cannot be reached, it is hidden, and discarded the next time. */
export async function discardDraft(personId: string | undefined, draftId: string): Promise<void> {
  storeDiscarded(personId, [...discarded(personId), draftId])
  await sendDiscard(personId, draftId)
}

/** Shows a draft again whose discarding was undone. */
export function restoreDiscarded(personId: string | undefined, draftId: string): void {
  storeDiscarded(
    personId,
    discarded(personId).filter((id) => id !== draftId),
  )
}

const keyOf = (personId: string | undefined) => `draftsDiscarded/${personId}`
/** The maximum number of drafts to discard later; a browser that is never online forgets the oldest. */
const REMEMBERED = 50

const idList = {
  parse: (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [],
}

const discarded = (personId: string | undefined): string[] => readStoredAs(keyOf(personId), idList) ?? []

/** If the browser forbids storage, a draft that could not be discarded is shown again. */
function storeDiscarded(personId: string | undefined, ids: string[]): void {
  store(keyOf(personId), ids.length === 0 ? null : JSON.stringify(ids.slice(-REMEMBERED)))
}

function withoutDiscarded(personId: string | undefined, drafts: ListedDraft[]): ListedDraft[] {
  const ids = new Set(discarded(personId))
  return drafts.filter(({ _id }) => !ids.has(_id))
}

async function discardAgain(personId: string | undefined): Promise<void> {
  for (const draftId of discarded(personId)) await sendDiscard(personId, draftId)
}

async function sendDiscard(personId: string | undefined, draftId: string): Promise<void> {
  try {
    await exchange('discardDraft', { params: { draftId } }, { keepalive: true })
  } catch (error) {
    const isGone = error instanceof ApiError && error.status === 404
    if (!isGone) return // it is discarded the next time
  }
  restoreDiscarded(personId, draftId)
}
