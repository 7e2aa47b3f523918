import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Revision, RevisionPage } from '#contract/history.ts'
import { currentOf, serverMessage } from '#web/api/api-error.ts'
import { change } from '#web/api/change.ts'
import { request } from '#web/api/client.ts'
import { entriesKey } from '#web/entries/keys.ts'
import { refreshEntryPages, storeEntry } from '#web/entries/queries.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

export type EntryRef = { milestoneId: string; entryId: string }

/** Under the key of the milestone's entries, so that events about the project refresh it. */
const historyKey = ({ milestoneId, entryId }: EntryRef) => [...entriesKey(milestoneId), 'history', entryId]

/** The versions of an entry, the newest first, page by page. */
export const historyQuery = (ref: EntryRef) =>
  infiniteQueryOptions({
    queryKey: [...historyKey(ref), 'list'],
    queryFn: ({ pageParam, signal }) =>
      request('listRevisions', { params: ref, query: { before: pageParam } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }: RevisionPage) => next ?? undefined,
  })

/** One version with its text. */
export const revisionQuery = (ref: EntryRef, revisionId: string | undefined) =>
  queryOptions({
    queryKey: [...historyKey(ref), 'one', revisionId],
    queryFn: ({ signal }) =>
      request('readRevision', { params: { ...ref, revisionId: revisionId ?? '' } }, { signal }),
    enabled: revisionId !== undefined,
  })

type Restoring = { revision: Revision; version: number }

/** Makes an entry what it was in a version. `onStale`: somebody has changed it since `version`. */
export function useRestore(ref: EntryRef, { onDone, onStale }: { onDone: () => void; onStale: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ revision, version }: Restoring) =>
      request('restoreRevision', { params: { ...ref, revisionId: revision._id } }, { ifMatch: version }),
    onSuccess(entry) {
      storeEntry(client, entry)
      toast.success('Version restored')
      onDone()
    },
    onError(error) {
      if (currentOf(error)) onStale()
      else toast.error(serverMessage(error) ?? 'The version could not be restored')
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: historyKey(ref) })
      refreshEntryPages(client)
    },
  })
}

/** Names a version, or takes its name away (null). */
export function useNameRevision(ref: EntryRef, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ revisionId, name }: { revisionId: string; name: string | null }) =>
      change('nameRevision', { params: { ...ref, revisionId }, body: { name } }),
    onSuccess: onDone,
    onError: (error) => toast.error(serverMessage(error) ?? 'The name could not be saved'),
    onSettled: () => client.invalidateQueries({ queryKey: historyKey(ref) }),
  })
}
