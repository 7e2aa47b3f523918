import type { QueryKey } from '@tanstack/react-query'
import type { Notification, NotificationPage } from '#contract/notifications.ts'
import { eachShown, type ShownChange, showing } from '#web/saving/overlay.ts'

/** Returns the newest notifications, and the number of all unread ones, with a change. */
export function withNotificationChange(page: NotificationPage, change: ShownChange): NotificationPage {
  const { notifications, unreadCount } = page
  if (change.call === 'markAllNotificationsRead')
    return { ...page, notifications: notifications.map(asRead), unreadCount: 0 }
  const isRead = change.call === 'markNotificationRead'
  if (!isRead && change.call !== 'deleteNotification') return page
  const { notificationId } = change.params
  const meant = notifications.find(({ _id }) => _id === notificationId)
  if (!meant) return page
  return {
    ...page,
    notifications: isRead
      ? notifications.map((other) => (other === meant ? asRead(other) : other))
      : notifications.filter((other) => other !== meant),
    unreadCount: meant.isRead ? unreadCount : Math.max(0, unreadCount - 1),
  }
}

const asRead = (notification: Notification) => ({ ...notification, isRead: true })

/** The newest notifications with pending changes. */
export const showingLatest = showing(eachShown(withNotificationChange))

/** The number of unread notifications with pending changes, which are those of notifications that are listed under `latestKey`. */
export const showingUnread = (latestKey: QueryKey) =>
  showing<{ count: number }>((data, changes, client) => {
    const page = client.getQueryData<NotificationPage>(latestKey)
    if (!page) return data
    if (changes.some(({ call }) => call === 'markAllNotificationsRead')) return { count: 0 }
    const fewer = page.unreadCount - changes.reduce(withNotificationChange, page).unreadCount
    return fewer === 0 ? data : { count: Math.max(0, data.count - fewer) }
  })
