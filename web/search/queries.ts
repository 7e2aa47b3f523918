import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'

/** The key prefix of all cached results. */
export const searchKey = ['search']

const searchQuery = (q: string, page: number) =>
  queryOptions({
    queryKey: [...searchKey, q, page],
    queryFn: ({ signal }) => request('search', { query: { q, page } }, { signal }),
  })

/** A page of results; the previous results while it is fetched. */
export function useSearch(q: string, page: number) {
  return useQuery({ ...searchQuery(q, page), placeholderData: keepPreviousData, refetchOnMount: 'always' })
}
