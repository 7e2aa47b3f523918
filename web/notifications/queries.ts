import { queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import { request } from '#web/api/client.ts'
import { useShownQuery } from '#web/saving/overlay.ts'
import { showingLatest, showingUnread } from './overlay.ts'

/** The key prefix of all notification queries. */
export const notificationsKey = ['notifications'] as const

const POLL_MS = 30_000

/** Polled while the page is visible, and refetched when it gets the focus. */
const polled = { refetchInterval: POLL_MS, refetchOnWindowFocus: 'always' } as const

const latestKey = [...notificationsKey, 'latest'] as const

/** The number of unread notifications. */
export const unreadQuery = queryOptions({
  queryKey: [...notificationsKey, 'unread'],
  queryFn: ({ signal }) => request('countUnreadNotifications', {}, { signal }),
  meta: showingUnread(latestKey),
  ...polled,
})

/** The newest ten notifications and the number of all unread ones. */
export const latestQuery = queryOptions({
  queryKey: latestKey,
  meta: showingLatest,
  async queryFn({ client, signal }) {
    const page = await request('listNotifications', {}, { signal })
    client.setQueryData(unreadQuery.queryKey, { count: page.unreadCount })
    return page
  },
  ...polled,
})

/** Returns the number of unread notifications; undefined while unknown. */
export function useUnreadCount(): number | undefined {
  const { data, error } = useShownQuery(unreadQuery)
  useLogged(error)
  return data?.count
}

/** Returns the newest ten notifications. */
export function useLatestNotifications() {
  const { data, error, isPending, refetch } = useShownQuery(latestQuery)
  useLogged(error)
  return { notifications: data?.notifications, isPending, refetch }
}

function useLogged(error: unknown): void {
  useEffect(() => {
    if (error) logOnly(error)
  }, [error])
}

/** Logs a failure to read, mark or delete notifications. */
export function logOnly(error: unknown): void {
  // oxlint-disable-next-line no-console -- specified: these failures are logged, not shown
  console.error(error)
}
