import type { Notification } from '#contract/notifications.ts'
import type { NotificationRecord } from './store.ts'

/** A notification; `inviteToken` is that of the invitation that its reader may answer. */
export function presentNotification(row: NotificationRecord, inviteToken?: string): Notification {
  const { projectId } = row.data
  return {
    _id: row.id,
    type: row.type,
    title: row.title,
    message: row.message,
    isRead: row.is_read,
    createdAt: row.created_at.toISOString(),
    data: {
      ...(inviteToken !== undefined && { inviteToken }),
      ...(projectId !== undefined && row.leads_to_project && { projectId }),
    },
  }
}
