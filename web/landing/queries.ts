import { queryOptions } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'

/** How much is documented on this server. */
export const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: ({ signal }) => request('readStats', {}, { signal }),
  retry: false,
})

/** How many people use this server. */
export const totalUsersQuery = queryOptions({
  queryKey: ['stats', 'users'],
  queryFn: ({ signal }) => request('countUsers', {}, { signal }),
  retry: false,
})
