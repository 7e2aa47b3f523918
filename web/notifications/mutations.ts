import { useQueryClient } from '@tanstack/react-query'
import type { Notification, NotificationPage } from '#contract/notifications.ts'
import { request } from '#web/api/client.ts'
import { changeCached, refresh, useOptimisticMutation } from '#web/api/optimistic.ts'
import { type Change, deleting, reading, readingAll } from './changes.ts'
import { logOnly } from './log-only.ts'
import { latestQuery, notificationsKey, unreadQuery } from './queries.ts'

/** Marks a notification as read. */
export function useMarkRead() {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: notificationsKey,
    mutationFn: ({ _id }: Notification) =>
      request('markNotificationRead', { params: { notificationId: _id } }),
    changes: (notification) => changesOf(reading(notification)),
    onFailure: logOnly,
    onSettled: () => refresh(client, notificationsKey),
  })
}

/** Marks all notifications as read, including those that are not listed. */
export function useMarkAllRead() {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: notificationsKey,
    mutationFn: (_input: void) => request('markAllNotificationsRead', {}),
    changes: () => changesOf(readingAll),
    successText: 'All notifications marked as read',
    onFailure: 'Failed to mark notifications as read',
    onSettled: () => refresh(client, notificationsKey),
  })
}

/** Deletes a notification. */
export function useDeleteNotification() {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: notificationsKey,
    mutationFn: ({ _id }: Notification) => request('deleteNotification', { params: { notificationId: _id } }),
    changes: (notification) => changesOf(deleting(notification)),
    onFailure: logOnly,
    onSettled: () => refresh(client, notificationsKey),
  })
}

/** Returns what a change does to the cached list and to the cached number of unread notifications. */
const changesOf = ({ notifications, unread }: Change) => [
  changeCached(latestQuery.queryKey, (page: NotificationPage) => ({
    ...page,
    notifications: notifications(page.notifications),
    unreadCount: unread(page.unreadCount),
  })),
  changeCached(unreadQuery.queryKey, ({ count }: { count: number }) => ({ count: unread(count) })),
]
