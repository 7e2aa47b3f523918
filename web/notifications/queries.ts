import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { request } from '#web/api/client.ts'

/** Under it lies everything read of the person's notifications: whoever invalidates it has it read again. */
export const notificationsKey = ['notifications'] as const

const POLL_MS = 30_000

/** Polled while the page can be seen; who comes back to it is brought up to date at once. */
const polled = { refetchInterval: POLL_MS, refetchOnWindowFocus: 'always' } as const

/** How many notifications are unread. */
export const unreadQuery = queryOptions({
  queryKey: [...notificationsKey, 'unread'],
  queryFn: ({ signal }) => request('countUnreadNotifications', {}, { signal }),
  ...polled,
})

/** The newest ten, and how many are unread among all. */
export const latestQuery = queryOptions({
  queryKey: [...notificationsKey, 'latest'],
  async queryFn({ client, signal }) {
    const page = await request('listNotifications', {}, { signal })
    client.setQueryData(unreadQuery.queryKey, { count: page.unreadCount })
    return page
  },
  ...polled,
})

/** How many notifications are unread; undefined until that is known. */
export function useUnreadCount(): number | undefined {
  const { data, error } = useQuery(unreadQuery)
  useLogged(error)
  return data?.count
}

/** The newest ten notifications. */
export function useLatestNotifications() {
  const { data, error, isPending, refetch } = useQuery(latestQuery)
  useLogged(error)
  return { notifications: data?.notifications, isPending, refetch }
}

function useLogged(error: unknown): void {
  useEffect(() => {
    if (error) logOnly(error)
  }, [error])
}

/** What becomes of a failure to read, mark or delete notifications. */
export function logOnly(error: unknown): void {
  // oxlint-disable-next-line no-console -- specified: these failures are logged, not shown
  console.error(error)
}
