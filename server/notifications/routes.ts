import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'
import {
  countUnread,
  deleteNotification,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
} from './service.ts'

export function notificationRoutes(serve: Serve, parts: Parts): void {
  serve('listNotifications', ({ caller, query }) => listNotifications(parts, caller, query))
  serve('countUnreadNotifications', ({ caller }) => countUnread(parts, caller))
  serve('markAllNotificationsRead', ({ caller }) => markAllNotificationsRead(parts, caller))
  serve('markNotificationRead', ({ caller, params }) =>
    markNotificationRead(parts, caller, params.notificationId),
  )
  serve('deleteNotification', ({ caller, params }) =>
    deleteNotification(parts, caller, params.notificationId),
  )
}
