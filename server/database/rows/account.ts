import type { Generated } from 'kysely'
import type { EmailedNotification, NotificationType } from '#contract/notifications.ts'
import type { DateFormat } from '#contract/parts/date-formats.ts'
import type { Created, Nullable, Timestamp } from './columns.ts'

/** A user, keyed by (issuer, subject) of the identity provider. */
export type UserRow = {
  id: string
  issuer: string
  subject: string
  name: string
  email: string
  email_verified: boolean
  photo_url: string | null
  /** When they chose their name in Milepost; null if it is the provider's. */
  named_at: Nullable<Date>
  /** When the deletion of the account was requested. Its owner may cancel it for some days. */
  leaving_since: Nullable<Date>
  is_admin: Generated<boolean>
  /** When the account began to await an administrator's approval. */
  awaiting_since: Nullable<Date>
  suspended_at: Nullable<Date>
  /** Their storage quota in bytes; null for the default. */
  quota_bytes: Nullable<number>
  /** The notification types that they have muted. */
  muted_notifications: Generated<NotificationType[]>
  muted_emails: Generated<EmailedNotification[]>
  /** The hour in their time zone of the daily email with news; null: none. */
  news_hour: Generated<number | null>
  /** Whether they are told of mentions by email at once. */
  mails_mentions: Generated<boolean>
  time_zone: Nullable<string>
  date_format: Nullable<DateFormat>
  /** When they last opened a session. */
  last_seen_at: Nullable<Date>
  created_at: Created
  updated_at: Timestamp
}

/** The date settings of a person. Null: the defaults of their browser, and English and UTC in emails. */
export type DateColumns = {
  time_zone: string | null
  date_format: DateFormat | null
}

/** A former email of an account. It is notified of the change, and deleted with the account. */
export type FormerEmailRow = { id: string; user_id: string; email: string; changed_at: Created }

/** The picture of a person, a small square. Its id changes with the picture. */
export type ProfilePictureRow = { user_id: string; id: string; bytes: Buffer }

export type AccountTables = {
  users: UserRow
  former_emails: FormerEmailRow
  profile_pictures: ProfilePictureRow
}
