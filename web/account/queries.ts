import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { useSession } from '#web/identity/session.tsx'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => request('readAccount', {}, { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request('listSessions', {}, { signal }),
})

const deletionQuery = queryOptions({
  queryKey: ['account', 'deletion'],
  queryFn: ({ signal }) => request('previewDeletion', {}, { signal }),
})

/** Fetches the current consequences of deleting the account, because others join and leave projects. */
export function useDeletionPreview() {
  return useQuery({ ...deletionQuery, refetchOnMount: 'always', gcTime: 0 })
}

/** The user's own account. Changes made in another tab are shown in the whole page. */
export function useAccount() {
  const { user, updateUser } = useSession()
  // The storage changes with every entry and file, which publishes no event of the account.
  const query = useQuery({ ...accountQuery, refetchOnMount: 'always' })
  const { data, dataUpdatedAt } = query
  const show = useEffectEvent(() => {
    if (data && (data.name !== user?.name || data.email !== user.email)) updateUser(data)
  })
  useEffect(() => {
    // The session's data may be newer than what was fetched before it.
    if (dataUpdatedAt > 0) show()
  }, [dataUpdatedAt])
  useFailureToast(query.error, 'Failed to fetch your account')
  return query
}

/** The sessions of the user. */
export function useSessions() {
  const query = useQuery({ ...sessionsQuery, refetchOnMount: 'always' })
  useFailureToast(query.error, 'Failed to fetch your sessions')
  return query
}
