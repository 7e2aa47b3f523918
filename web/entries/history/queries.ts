import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Entry } from '#contract/entries.ts'
import type { Revision, RevisionPage, RevisionText } from '#contract/history.ts'
import { currentOf } from '#web/api/api-error.ts'
import { change, isUncertain, persist } from '#web/api/change.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { entriesKey } from '#web/entries/keys.ts'
import { entryQuery, refreshEntryPages, storeEntry } from '#web/entries/queries.ts'
import { isAbsence } from '#web/projects/queries.ts'
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

/** Returns an entry after a failure of which an answer that was lost may be the reason; null where it is another one. */
async function entryAfter(ref: EntryRef, error: unknown): Promise<Entry | null> {
  if (!isUncertain(error)) return currentOf(error) as Entry | null
  // Where it cannot be fetched either, nobody knows.
  return request('readEntry', { params: ref }).catch(() => null)
}

const RESTORED = ['title', 'content', 'tags', 'happenedAt', 'happenedZone'] as const

/** Whether an entry was changed since a version of it, to what a revision says. */
export const isRestored = (now: Entry, text: Pick<RevisionText, (typeof RESTORED)[number]>, since: number) =>
  now.version > since && RESTORED.every((name) => JSON.stringify(now[name]) === JSON.stringify(text[name]))

/** Makes an entry what it was in a version. `onStale`: somebody has changed it since `version`. */
export function useRestore(ref: EntryRef, { onDone, onStale }: { onDone: () => void; onStale: () => void }) {
  const client = useQueryClient()
  return useMutation({
    async mutationFn({ revision: { _id: revisionId }, version }: Restoring): Promise<Entry> {
      const params = { ...ref, revisionId }
      try {
        return await persist(() => request('restoreRevision', { params }, { ifMatch: version }))
      } catch (error) {
        const text = client.getQueryData(revisionQuery(ref, revisionId).queryKey)
        const now = await entryAfter(ref, error)
        if (!now || !text || !isRestored(now, text, version)) throw error
        return now
      }
    },
    onSuccess(entry) {
      storeEntry(client, entry)
      toast.success('Version restored')
      onDone()
    },
    onError(error) {
      if (currentOf(error)) onStale()
      else toastError(error, 'The version could not be restored')
      if (isAbsence(error))
        void client.invalidateQueries({ queryKey: entryQuery(ref.milestoneId, ref.entryId).queryKey })
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: historyKey(ref) })
      refreshEntryPages(client)
    },
  })
}

type Naming = { revisionId: string; name: string | null }

/** Names a version, or takes its name away (null). */
export function useNameRevision(ref: EntryRef) {
  const client = useQueryClient()
  return useMutation({
    /** Undefined where every answer was lost, and the version has the name. */
    mutationFn({ revisionId, name }: Naming): Promise<Revision | undefined> {
      const params = { ...ref, revisionId }
      const isDone = async () => (await request('readRevision', { params })).name === name
      return change('nameRevision', { params, body: { name } }, { isDone })
    },
    onError: (error) => toastError(error, 'The name could not be saved'),
    onSettled: () => client.invalidateQueries({ queryKey: historyKey(ref) }),
  })
}
