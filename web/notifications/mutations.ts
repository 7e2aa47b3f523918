import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { Notification, NotificationPage } from '#contract/notifications.ts'
import { useIsRunning } from '#web/api/mutation-once.ts'
import { changeCached, useOptimisticMutation } from '#web/api/optimistic.ts'
import { refresh } from '#web/api/query-client.ts'
import { change } from '#web/saving/change.ts'
import { latestQuery, logOnly, notificationsKey, unreadQuery } from './queries.ts'

/** Returns a function that marks a notification as read. */
export const useMarkRead = (notification: Notification) =>
  useChangeOfOne('markNotificationRead', notification, markRead)

/** Returns a function that deletes a notification, optimistically. */
export const useDeleteNotification = (notification: Notification) =>
  useChangeOfOne('deleteNotification', notification, removeNotification)

function useChangeOfOne(
  call: 'markNotificationRead' | 'deleteNotification',
  notification: Notification,
  changeOf: (notification: Notification) => Change,
): () => void {
  const client = useQueryClient()
  const { _id: notificationId } = notification
  const mutationKey = [...notificationsKey, call, notificationId]
  const { mutate } = useOptimisticMutation({
    mutationKey,
    mutationFn: (_input: void) => change(call, { params: { notificationId } }),
    changes: () => changesOf(changeOf(notification)),
    onFailure: logOnly,
    onSettled: () => refresh(client, notificationsKey),
  })
  return useUnlessRunning(mutationKey, mutate)
}

/** Returns a function that marks all notifications as read, including those that are not listed. */
export function useMarkAllRead(): () => void {
  const mutationKey = [...notificationsKey, 'markAllNotificationsRead']
  const client = useQueryClient()
  const { mutate } = useOptimisticMutation({
    mutationKey,
    mutationFn: (_input: void) => change('markAllNotificationsRead', {}),
    changes: () => changesOf(markAllRead),
    successText: 'All notifications marked as read',
    onFailure: 'Failed to mark notifications as read',
    onSettled: () => refresh(client, notificationsKey),
  })
  return useUnlessRunning(mutationKey, mutate)
}

/** Returns a function that mutates unless a mutation with this key is in flight. */
function useUnlessRunning(mutationKey: QueryKey, mutate: () => void): () => void {
  const isRunning = useIsRunning(mutationKey)
  return () => {
    if (!isRunning()) mutate()
  }
}

/** Returns the changes of the cached list and of the cached number of unread notifications. */
const changesOf = ({ notifications, unread }: Change) => [
  changeCached(latestQuery.queryKey, (page: NotificationPage) => ({
    ...page,
    notifications: notifications(page.notifications),
    unreadCount: unread(page.unreadCount),
  })),
  changeCached(unreadQuery.queryKey, ({ count }: { count: number }) => ({ count: unread(count) })),
]

/** The effect of an action on the listed notifications and the unread count. */
export type Change = {
  notifications: (listed: Notification[]) => Notification[]
  unread: (count: number) => number
}

/** Marks one notification as read. */
export const markRead = (read: Notification): Change => ({
  notifications: (listed) =>
    listed.map((other) => (other._id === read._id ? { ...other, isRead: true } : other)),
  unread: without(read),
})

/** Marks all as read, including those that are not listed. */
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
