import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { pageNumber, pagination } from './parts/pagination.ts'
import { date, id, ids } from './parts/wire.ts'

export const NOTIFICATIONS_PER_PAGE = 10

export const notificationType = z.enum([
  'collaboration_invite',
  'collaboration_accepted',
  'collaboration_declined',
  'collaboration_removed',
  'role_updated',
  'other',
])
export type NotificationType = z.infer<typeof notificationType>

/** The types that are also sent by email, if the server sends emails. */
export const emailedNotification = z.enum(['collaboration_invite'])
export type EmailedNotification = z.infer<typeof emailedNotification>

/** The types that the person turned off, in Milepost and by email. */
export const notificationPreferences = z.object({
  muted: z.array(notificationType),
  mutedEmails: z.array(emailedNotification),
  /** The hour in the person's time zone of the daily email with the news of projects; null: none. */
  newsHour: z.int().nullable(),
  /** Whether they are told of mentions by email at once. */
  emailsMentions: z.boolean(),
})
export type NotificationPreferences = z.infer<typeof notificationPreferences>

/** What the news of a project is: a notification of the type `other` that counts up. */
export const newsKind = z.enum(['entry', 'mention', 'milestone_reached', 'milestone_due'])
export type NewsKind = z.infer<typeof newsKind>

export const notification = z.object({
  _id: id,
  type: notificationType,
  title: z.string(),
  message: z.string(),
  isRead: z.boolean(),
  createdAt: date,
  /** Only of the news of a project, with the number of events that it stands for. */
  kind: newsKind.optional(),
  count: z.int().optional(),
  data: z.object({
    inviteToken: z.string().optional(),
    projectId: id.optional(),
    milestoneId: id.optional(),
    entryId: id.optional(),
  }),
})
export type Notification = z.infer<typeof notification>

export const notificationPage = z.object({
  notifications: z.array(notification),
  /** The number of all unread notifications, not only of this page. */
  unreadCount: z.int(),
  pagination,
})
export type NotificationPage = z.infer<typeof notificationPage>

export const notificationQuery = z.object({
  page: pageNumber.default(1),
  unreadOnly: z
    .enum(['true', 'false'], { error: 'unreadOnly must be true or false' })
    .default('false')
    .transform((word) => word === 'true'),
})
export type NotificationQuery = z.output<typeof notificationQuery>

export const notificationCalls = defineCalls({
  listNotifications: {
    method: 'GET',
    path: '/api/notifications',
    who: 'signed-in',
    scope: 'none',
    summary: 'My notifications, newest first',
    query: notificationQuery,
    responses: { 200: notificationPage },
  },
  countUnreadNotifications: {
    method: 'GET',
    path: '/api/notifications/unread-count',
    who: 'signed-in',
    scope: 'none',
    summary: 'How many of my notifications are unread',
    responses: { 200: z.object({ count: z.int() }) },
  },
  markAllNotificationsRead: {
    method: 'PUT',
    path: '/api/notifications/mark-all-read',
    who: 'signed-in',
    scope: 'none',
    summary: 'Mark all my notifications as read',
    responses: { 204: null },
  },
  markNotificationRead: {
    method: 'PUT',
    path: '/api/notifications/:notificationId/read',
    who: 'signed-in',
    scope: 'none',
    summary: 'Mark one of my notifications as read',
    params: ids('notificationId'),
    responses: { 204: null },
  },
  deleteNotification: {
    method: 'DELETE',
    path: '/api/notifications/:notificationId',
    who: 'signed-in',
    scope: 'none',
    summary: 'Delete one of my notifications',
    params: ids('notificationId'),
    responses: { 204: null },
  },
})
