import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Entry, EntryPage } from '#contract/entries.ts'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'
import type { EntryFilters } from './entry-filters.ts'
import { withChanged } from './page-changes.ts'

/** Which page of a milestone's entries is asked for. */
type Asked = Omit<EntryFilters, 'view'>

/** Of everything about the entries of a milestone. */
export const entriesKey = (milestoneId: string): QueryKey => ['entries', milestoneId]

/** Of all pages of a milestone's entries that were read. */
export const entryPagesKey = (milestoneId: string): QueryKey => [...entriesKey(milestoneId), 'pages']

/** One page of a milestone's entries. */
const entryPageQuery = (milestoneId: string, { search, tag, sort, size, page }: Asked) => {
  const asked: Asked = { search: search.trim(), tag, sort, size, page }
  return queryOptions({
    queryKey: [...entryPagesKey(milestoneId), asked],
    queryFn: async ({ signal }) => {
      const query = { page, limit: size, search: asked.search || undefined, tag: tag ?? undefined, sort }
      const answer = await request('listEntries', { params: { milestoneId }, query }, { signal })
      if (Array.isArray(answer)) throw new TypeError('A page was asked for, and all entries came')
      return answer
    },
  })
}

/** Whether what lies under a key of the cache is the page that a new entry appears on. */
export function takesNewEntries(key: QueryKey): boolean {
  const { search, tag, sort, page } = key.at(-1) as Asked
  return search === '' && tag === null && sort === 'newest' && page === 1
}

/** An entry, and its content as HTML where the server has been asked for it since the content last changed. */
export type EntryToRead = Entry & { html?: string | undefined }

/** One entry. */
export const entryQuery = (milestoneId: string, entryId: string) =>
  queryOptions<EntryToRead>({
    queryKey: [...entriesKey(milestoneId), 'one', entryId],
    queryFn: ({ signal }) => request('readEntry', { params: { milestoneId, entryId } }, { signal }),
  })

/** One page of a milestone's entries; until it is read, the one that was shown before. */
export function useEntryPage(milestoneId: string, asked: Asked) {
  const query = useQuery({ ...entryPageQuery(milestoneId, asked), placeholderData: keepPreviousData })
  useFailureToast(query.error, 'Failed to fetch entries')
  return query
}

/** One entry; until it is read, as a page of its milestone knows it. */
export function useEntry(milestoneId: string, entryId: string) {
  const client = useQueryClient()
  const query = useQuery({
    ...entryQuery(milestoneId, entryId),
    placeholderData: () =>
      client
        .getQueriesData<EntryPage>({ queryKey: entryPagesKey(milestoneId) })
        .flatMap(([, page]) => page?.entries ?? [])
        .find(({ _id }) => _id === entryId),
  })
  const { error } = query
  useEffect(() => {
    // oxlint-disable-next-line no-console -- specified: this failure is logged, and the screen says what it means
    if (error) console.error(error)
  }, [error])
  return query
}

/**
 * Puts an entry as the server answered it wherever it is shown, also in place of one that had no id yet. The answer to a
 * change has no HTML: what there is of the same content stays until the entry is read again.
 */
export function storeEntry(client: QueryClient, entry: Entry, shownAs = entry._id): void {
  const { queryKey } = entryQuery(entry.milestone, entry._id)
  client.setQueryData<EntryToRead>(queryKey, (old) => ({
    ...entry,
    html: old?.content === entry.content ? old.html : undefined,
  }))
  void client.invalidateQueries({ queryKey })
  client.setQueriesData<EntryPage>(
    { queryKey: entryPagesKey(entry.milestone) },
    (page) => page && withChanged(page, shownAs, () => entry),
  )
}
