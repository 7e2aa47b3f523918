import type { ColumnType, Generated } from 'kysely'
import type { NewsKind, NotificationType } from '#contract/notifications.ts'
import type { Created, Nullable } from './columns.ts'

export type NotificationRow = {
  id: string
  user_id: string
  type: NotificationType
  title: string
  message: string
  data: ColumnType<Record<string, string>, string, string>
  is_read: Generated<boolean>
  created_at: Created
  /** What the news is; null for other notifications. */
  kind: Nullable<NewsKind>
  /** The project, milestone or entry that the news is about. */
  subject_id: Nullable<string>
  /** How many events it stands for, since `opened_at`. */
  count: Generated<number>
  opened_at: Nullable<Date>
  /** The email that it waits for, and the one that has it. */
  mail: Nullable<'daily' | 'mention'>
  email_id: Nullable<string>
}

export type NotificationTables = {
  notifications: NotificationRow
}
