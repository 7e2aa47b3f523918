import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'

/** The key prefix of all cached data of the trash. */
export const trashKey = ['trash']

const trashQuery = (page: number) =>
  queryOptions({
    queryKey: [...trashKey, page],
    queryFn: ({ signal }) => request('listTrash', { query: { page } }, { signal }),
  })

/** A page of the deletions that the user may restore; the previous page while it is fetched. */
export function useTrash(page: number) {
  // Deleting and restoring by others publishes no event for this screen.
  const query = useQuery({ ...trashQuery(page), placeholderData: keepPreviousData, refetchOnMount: 'always' })
  useFailureToast(query.error, 'Failed to fetch the trash')
  return query
}
