import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Revision, RevisionPage } from '#contract/history.ts'
import { currentOf } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { entriesKey } from '#web/entries/keys.ts'
import { entryQuery, refreshEntryPages, storeEntry } from '#web/entries/queries.ts'
import { isNotFound } from '#web/projects/queries.ts'
import { change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

export type EntryRef = { milestoneId: string; entryId: string }

/** Below the key of the milestone's entries, so that events about the project invalidate it. */
const historyKey = ({ milestoneId, entryId }: EntryRef) => [...entriesKey(milestoneId), 'history', entryId]

/** The pages of an entry's versions, the newest first. */
export const historyQuery = (ref: EntryRef) =>
  infiniteQueryOptions({
    queryKey: [...historyKey(ref), 'list'],
    queryFn: ({ pageParam, signal }) =>
      request('listRevisions', { params: ref, query: { before: pageParam } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }: RevisionPage) => next ?? undefined,
  })

/** A version with its text. */
export const revisionQuery = (ref: EntryRef, revisionId: string | undefined) =>
  queryOptions({
    queryKey: [...historyKey(ref), 'one', revisionId],
    queryFn: ({ signal }) =>
      request('readRevision', { params: { ...ref, revisionId: revisionId ?? '' } }, { signal }),
    enabled: revisionId !== undefined,
  })

type Restoring = { revision: Revision; version: number }

/** Restores a version of an entry. `onStale`: somebody has changed the entry since `version`. */
export function useRestore(ref: EntryRef, { onDone, onStale }: { onDone: () => void; onStale: () => void }) {
  const client = useQueryClient()
  return useChange({
    mutationKey: [...historyKey(ref), 'restore'],
    mutationFn: ({ revision: { _id: revisionId }, version }: Restoring) =>
      change('restoreRevision', { params: { ...ref, revisionId } }, { ifMatch: version }),
    onSuccess(entry) {
      storeEntry(client, entry)
      toast.success('Version restored')
      onDone()
    },
    onError(error) {
      if (currentOf(error)) onStale()
      else toastError(error, 'The version could not be restored')
      if (isNotFound(error))
        void client.invalidateQueries({ queryKey: entryQuery(ref.milestoneId, ref.entryId).queryKey })
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: historyKey(ref) })
      refreshEntryPages(client)
    },
  })
}

type Naming = { revisionId: string; name: string | null }

/** Names a version, or removes its name (null). */
export function useNameRevision(ref: EntryRef) {
  const client = useQueryClient()
  return useChange({
    mutationKey: [...historyKey(ref), 'name'],
    mutationFn: ({ revisionId, name }: Naming): Promise<Revision> =>
      change('nameRevision', { params: { ...ref, revisionId }, body: { name } }),
    onError: (error) => toastError(error, 'The name could not be saved'),
    onSettled: () => client.invalidateQueries({ queryKey: historyKey(ref) }),
  })
}
