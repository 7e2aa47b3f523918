import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import {
  countUnread,
  deleteNotification,
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  type ReadTokens,
} from './service.ts'

export function notificationRoutes(serve: Serve, deps: AppDeps, readTokens: ReadTokens): void {
  serve('listNotifications', ({ caller, query }) => listNotifications(deps, caller, query, readTokens))
  serve('countUnreadNotifications', ({ caller }) => countUnread(deps, caller))
  serve('markAllNotificationsRead', ({ caller }) => markAllNotificationsRead(deps, caller))
  serve('markNotificationRead', ({ caller, params }) =>
    markNotificationRead(deps, caller, params.notificationId),
  )
  serve('deleteNotification', ({ caller, params }) => deleteNotification(deps, caller, params.notificationId))
}
