import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'

/** The key of all that is cached of the trash. */
export const trashKey = ['trash']

const trashQuery = (page: number) =>
  queryOptions({
    queryKey: [...trashKey, page],
    queryFn: ({ signal }) => request('listTrash', { query: { page } }, { signal }),
  })

/** A page of what the user may restore, or the page shown before while it is fetched. */
export function useTrash(page: number) {
  // What others delete and restore elsewhere is no event of a project that is shown here.
  const query = useQuery({ ...trashQuery(page), placeholderData: keepPreviousData, refetchOnMount: 'always' })
  useFailureToast(query.error, 'Failed to fetch the trash')
  return query
}
