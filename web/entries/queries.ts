import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Entry, EntryBetween, EntryPage } from '#contract/entries.ts'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'
import type { EntryFilters } from './list/entry-filters.ts'

/** The filters that the server applies. */
type PageParams = Omit<EntryFilters, 'view'>

/** The key of everything cached about the entries of a milestone. */
export const entriesKey = (milestoneId: string): QueryKey => ['entries', milestoneId]

/** The key of all cached pages of a milestone's entries. */
export const entryPagesKey = (milestoneId: string): QueryKey => [...entriesKey(milestoneId), 'pages']

/** One page of a milestone's entries. */
const entryPageQuery = (milestoneId: string, { search, tag, sort, size, page }: PageParams) => {
  const params: PageParams = { search: search.trim(), tag, sort, size, page }
  return queryOptions({
    queryKey: [...entryPagesKey(milestoneId), params],
    queryFn: async ({ signal }) => {
      const query = { page, limit: size, search: params.search || undefined, tag: tag ?? undefined, sort }
      const answer = await request('listEntries', { params: { milestoneId }, query }, { signal })
      if (Array.isArray(answer)) throw new TypeError('Expected a page of entries, received a list')
      return answer
    },
  })
}

/** Whether a cache key is that of the page on which a new entry appears. */
export function takesNewEntries(key: QueryKey): boolean {
  const { search, tag, sort, page } = key.at(-1) as PageParams
  return search === '' && tag === null && sort === 'newest' && page === 1
}

/** An entry, with its content as HTML if that was fetched since the content last changed, and the entries beside it. */
export type EntryWithHtml = Entry & { html?: string | undefined } & Partial<
    Pick<EntryBetween, 'previous' | 'next'>
  >

/** One entry. */
export const entryQuery = (milestoneId: string, entryId: string) =>
  queryOptions<EntryWithHtml>({
    queryKey: [...entriesKey(milestoneId), 'one', entryId],
    queryFn: ({ signal }) => request('readEntry', { params: { milestoneId, entryId } }, { signal }),
  })

/** One page of a milestone's entries, or the page shown before while it is fetched. */
export function useEntryPage(milestoneId: string, params: PageParams) {
  const query = useQuery({ ...entryPageQuery(milestoneId, params), placeholderData: keepPreviousData })
  useFailureToast(query.error, 'Failed to fetch entries')
  return query
}

/** One entry, or its copy from a cached page while it is fetched. */
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
    // oxlint-disable-next-line no-console -- specified: this failure is logged, and the screen explains it
    if (error) console.error(error)
  }, [error])
  return query
}

/** Returns a page on which an entry, if it is there, has changed. */
export function withChanged(page: EntryPage, entryId: string, change: (entry: Entry) => Entry): EntryPage {
  return { ...page, entries: page.entries.map((entry) => (entry._id === entryId ? change(entry) : entry)) }
}

/**
 * Stores an entry from a response wherever it is cached, also in place of one with a temporary id. Responses to mutations
 * carry no HTML: the HTML of the same content stays until the entry is fetched again.
 */
export function storeEntry(client: QueryClient, entry: Entry, cachedId = entry._id): void {
  const { queryKey } = entryQuery(entry.milestone, entry._id)
  client.setQueryData<EntryWithHtml>(queryKey, (old) => ({
    ...(old && { previous: old.previous, next: old.next }),
    ...entry,
    html: old?.content === entry.content ? old.html : undefined,
  }))
  void client.invalidateQueries({ queryKey })
  client.setQueriesData<EntryPage>(
    { queryKey: entryPagesKey(entry.milestone) },
    (page) => page && withChanged(page, cachedId, () => entry),
  )
}
