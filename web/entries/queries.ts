import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Entry, EntryListPage } from '#contract/entries.ts'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { milestonesQuery } from '#web/milestones/queries.ts'
import { isNotFound } from '#web/projects/queries.ts'
import { useShownQuery } from '#web/saving/overlay.ts'
import { allEntriesKey, entriesKey, entryPagesKey } from './keys.ts'
import type { EntryFilters } from './list/entry-filters.ts'
import { type EntryWithHtml, showingEntry, showingPage, withAnswer, withChanged } from './overlay.ts'
import { entryPath } from './paths.ts'

/** The filters that the server applies. */
type PageParams = Omit<EntryFilters, 'view'>

/** All cached pages of entries: an entry is on those of its milestone and on those of its project. */
const allEntryPages = {
  queryKey: allEntriesKey,
  predicate: ({ queryKey }: { queryKey: QueryKey }) => queryKey[2] === 'pages',
}

/** Invalidates all pages of entries. */
export function refreshEntryPages(client: QueryClient): void {
  void client.invalidateQueries(allEntryPages)
}

/** The milestone or the project of the entries. */
type Container = { milestoneId: string } | { projectId: string }

/** The page of an entry that is no longer in `milestoneId`; null if it was deleted, or may not be viewed there. */
export const movedEntryQuery = (milestoneId: string, entryId: string) =>
  queryOptions({
    queryKey: [...entriesKey(milestoneId), 'moved', entryId],
    async queryFn({ signal }) {
      try {
        const { project, milestone } = await request('locateEntry', { params: { entryId } }, { signal })
        return milestone === milestoneId ? null : entryPath(project, { _id: entryId, milestone })
      } catch (error) {
        if (isNotFound(error)) return null
        throw error
      }
    },
  })

/** One page of the entries of a milestone, or of all entries of a project. */
const entryPageQuery = (container: Container, { search, tag, sort, size, page }: PageParams) => {
  const params: PageParams = { search: search.trim(), tag, sort, size, page }
  const id = 'projectId' in container ? container.projectId : container.milestoneId
  return queryOptions({
    queryKey: [...entryPagesKey(id), params],
    queryFn: async ({ signal }) => {
      const query = { page, limit: size, search: params.search || undefined, tag: tag ?? undefined, sort }
      if ('projectId' in container)
        return request('listProjectEntries', { params: container, query }, { signal })
      const answer = await request('listEntries', { params: container, query }, { signal })
      if (Array.isArray(answer)) throw new TypeError('Expected a page of entries, received a list')
      return answer
    },
    meta: showingPage({
      takesNew: params.search === '' && tag === null && sort === 'newest' && page === 1,
      hasMilestone: (milestoneId, client) =>
        'projectId' in container
          ? hasMilestone(client, container.projectId, milestoneId)
          : container.milestoneId === milestoneId,
    }),
  })
}

const hasMilestone = (client: QueryClient, projectId: string, milestoneId: string) =>
  client.getQueryData(milestonesQuery(projectId).queryKey)?.some(({ _id }) => _id === milestoneId) === true

/** One entry. */
export const entryQuery = (milestoneId: string, entryId: string) =>
  queryOptions<EntryWithHtml>({
    queryKey: [...entriesKey(milestoneId), 'one', entryId],
    queryFn: ({ signal }) => request('readEntry', { params: { milestoneId, entryId } }, { signal }),
    meta: showingEntry,
  })

/** Returns the tags of a project, once `isEnabled`; none while unknown. */
export function useProjectTags(projectId: string, { isEnabled }: { isEnabled: boolean }): readonly string[] {
  const query = useQuery({
    queryKey: [...entriesKey(projectId), 'tags'],
    queryFn: ({ signal }) =>
      request('listProjectEntries', { params: { projectId }, query: { page: 1 } }, { signal }),
    select: ({ tags }) => tags,
    enabled: isEnabled,
    staleTime: TAGS_FRESH_MS,
  })
  return query.data ?? []
}

const TAGS_FRESH_MS = 60_000

/** One page of entries, or the previous page while it is fetched. */
export function useEntryPage(container: Container, params: PageParams) {
  const query = useShownQuery({
    ...entryPageQuery(container, params),
    placeholderData: keepPreviousData,
  })
  // The screen removes a milestone that was deleted elsewhere.
  useFailureToast(isNotFound(query.error) ? null : query.error, 'Failed to fetch entries')
  return query
}

/** One entry, or its copy from a cached page while it is fetched. */
export function useEntry(milestoneId: string, entryId: string) {
  const client = useQueryClient()
  const query = useShownQuery({
    ...entryQuery(milestoneId, entryId),
    placeholderData: () =>
      client
        .getQueriesData<EntryListPage>(allEntryPages)
        .flatMap(([, page]) => page?.entries ?? [])
        .find(({ _id, milestone }) => _id === entryId && milestone === milestoneId),
  })
  const { error } = query
  useEffect(() => {
    // oxlint-disable-next-line no-console -- specified: this failure is logged, and the screen explains it
    if (error) console.error(error)
  }, [error])
  return query
}

/** Updates an entry in all caches from a response. */
export function storeEntry(client: QueryClient, entry: Entry): void {
  const { queryKey } = entryQuery(entry.milestone, entry._id)
  client.setQueryData<EntryWithHtml>(queryKey, (old) => withAnswer(old, entry))
  void client.invalidateQueries({ queryKey })
  client.setQueriesData<EntryListPage>(
    allEntryPages,
    (page) => page && withChanged(page, entry._id, () => entry),
  )
}
