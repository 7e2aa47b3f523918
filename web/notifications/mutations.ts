import { useQueryClient } from '@tanstack/react-query'
import type { Notification } from '#contract/notifications.ts'
import { change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { logOnly, notificationsKey } from './queries.ts'

/** Returns a function that marks a notification as read. */
export const useMarkRead = (notification: Notification) =>
  useChangeOfOne('markNotificationRead', notification)

/** Returns a function that deletes a notification. */
export const useDeleteNotification = (notification: Notification) =>
  useChangeOfOne('deleteNotification', notification)

function useChangeOfOne(
  call: 'markNotificationRead' | 'deleteNotification',
  { _id: notificationId }: Notification,
): () => void {
  const client = useQueryClient()
  return useChange({
    mutationKey: [...notificationsKey, call, notificationId],
    mutationFn: () => change(call, { params: { notificationId } }),
    onError: logOnly,
    onSettled: () => void client.invalidateQueries({ queryKey: notificationsKey }),
  }).mutate
}

/** Returns a function that marks all notifications as read, including those that are not listed. */
export function useMarkAllRead(): () => void {
  const client = useQueryClient()
  return useChange({
    mutationKey: [...notificationsKey, 'markAllNotificationsRead'],
    mutationFn: () => change('markAllNotificationsRead', {}),
    done: 'All notifications marked as read',
    failed: 'Failed to mark notifications as read',
    onSettled: () => void client.invalidateQueries({ queryKey: notificationsKey }),
  }).mutate
}
