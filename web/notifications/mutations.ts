import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Notification, NotificationPage } from '#contract/notifications.ts'
import { request } from '#web/api/client.ts'
import { changeOptimistically, refresh } from '#web/api/optimistic.ts'
import { toast } from '#web/ui/toast.ts'
import { latestQuery, logOnly, notificationsKey, unreadQuery } from './queries.ts'

/** Marks a notification as read. */
export function useMarkRead() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: notificationsKey,
    mutationFn: ({ _id }: Notification) =>
      request('markNotificationRead', { params: { notificationId: _id } }),
    onMutate: (notification) => applyOptimistically(client, markRead(notification)),
    onError: (error, _notification, undo) => {
      undo?.()
      logOnly(error)
    },
    onSettled: () => refresh(client, notificationsKey),
  })
}

/** Marks all notifications as read, also those that are not listed. */
export function useMarkAllRead() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: notificationsKey,
    mutationFn: () => request('markAllNotificationsRead', {}),
    onMutate: () => applyOptimistically(client, markAllRead),
    onSuccess: () => toast.success('All notifications marked as read'),
    onError: (_error, _nothing, undo) => {
      undo?.()
      toast.error('Failed to mark notifications as read')
    },
    onSettled: () => refresh(client, notificationsKey),
  })
}

/** Deletes a notification, optimistically. */
export function useDeleteNotification() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: notificationsKey,
    mutationFn: ({ _id }: Notification) => request('deleteNotification', { params: { notificationId: _id } }),
    onMutate: (notification) => applyOptimistically(client, removeNotification(notification)),
    onError: (error, _notification, undo) => {
      undo?.()
      logOnly(error)
    },
    onSettled: () => refresh(client, notificationsKey),
  })
}

/** Applies a change optimistically; the function it returns undoes it. */
async function applyOptimistically(
  client: QueryClient,
  { notifications, unread }: Change,
): Promise<() => void> {
  const undoLatest = await changeOptimistically(client, latestQuery.queryKey, (page: NotificationPage) => ({
    ...page,
    notifications: notifications(page.notifications),
    unreadCount: unread(page.unreadCount),
  }))
  const undoUnread = await changeOptimistically(
    client,
    unreadQuery.queryKey,
    ({ count }: { count: number }) => ({
      count: unread(count),
    }),
  )
  return () => {
    undoLatest()
    undoUnread()
  }
}

/** The effect of an action on the listed notifications and the unread count. */
export type Change = {
  notifications: (listed: Notification[]) => Notification[]
  unread: (count: number) => number
}

/** Marks one as read. */
export const markRead = (read: Notification): Change => ({
  notifications: (listed) =>
    listed.map((other) => (other._id === read._id ? { ...other, isRead: true } : other)),
  unread: without(read),
})

/** Marks all as read, also those that are not listed. */
export const markAllRead: Change = {
  notifications: (listed) => listed.map((other) => ({ ...other, isRead: true })),
  unread: () => 0,
}

/** Removes one from the list. */
export const removeNotification = (deleted: Notification): Change => ({
  notifications: (listed) => listed.filter((other) => other._id !== deleted._id),
  unread: without(deleted),
})

function without({ isRead }: Notification) {
  return (count: number) => (isRead ? count : Math.max(0, count - 1))
}
