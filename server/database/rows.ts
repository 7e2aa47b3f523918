import type { ColumnType, Generated, Kysely, SelectType, Transaction } from 'kysely'
import type { ActivityDetails, ActivityKind } from '#contract/activity.ts'
import type { AuditDetails, AuditKind } from '#contract/audit-log.ts'
import type { CollaboratorStatus } from '#contract/collaborators.ts'
import type { EntryState } from '#contract/entries.ts'
import type { RegistrationMode } from '#contract/identity.ts'
import type { ImportChoices, ImportPlan, ImportReport, ImportSource, ImportState } from '#contract/imports.ts'
import type { EmailedNotification, NewsKind, NotificationType } from '#contract/notifications.ts'
import type { Scope } from '#contract/parts/call.ts'
import type { DateFormat } from '#contract/parts/date-formats.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { Visibility } from '#contract/projects.ts'
import type { ReactionKind } from '#contract/reactions.ts'
import type { WatchLevel } from '#contract/watching.ts'

type Timestamp = ColumnType<Date, Date, Date>
type Created = ColumnType<Date, Date, never>
/** A calendar day, `YYYY-MM-DD`. */
type Day = string
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
/** A row that only the database writes, or a row of a view. */
type ReadOnly<Row> = { [K in keyof Row]: ColumnType<SelectType<Row[K]>, never, never> }

/** The columns of rows in the trash. No view contains such rows. */
type Deletable = {
  deleted_at: Nullable<Date>
  deleted_by: Nullable<string>
  /** Shared by all rows that were deleted together. */
  deletion_id: Nullable<string>
}

/** The date settings of a person. Null: the defaults of their browser, and English and UTC in emails. */
export type DateColumns = {
  time_zone: string | null
  date_format: DateFormat | null
}

/** The changes that a row remembers: the one that created it, then the latest eight. */
type Remembering = { changes: Generated<string[]> }

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

/** An application session. The tokens that contain its id end with it, and it ends with the provider's session. */
export type SessionRow = {
  id: string
  user_id: string
  provider_session: string | null
  created_at: Created
  revoked_at: Date | null
  /** When a hosted provider last authenticated the person; null if the provider's session has it, or it is unknown. */
  proven_at: Date | null
}

/** A URL to which the events of a project are posted. */
export type WebhookRow = Remembering & {
  id: string
  project_id: string
  /** The account that created it, which may be deleted; null if it was created before this column was added. */
  created_by: Nullable<string>
  url: string
  secret_encrypted: Buffer
  /** Until then, deliveries are also signed with the former secret. */
  former_secret_encrypted: Nullable<Buffer>
  former_secret_until: Nullable<Date>
  /** When deliveries began to fail. */
  failing_since: Nullable<Date>
  disabled_at: Nullable<Date>
  created_at: Created
}

/** A link with which people without an account read a project, one of its entries, or those from an entry or a day on. */
export type ShareLinkRow = Remembering & {
  id: string
  project_id: string
  entry_id: Nullable<string>
  from_entry_id: Nullable<string>
  from_day: Nullable<Day>
  name: string
  token_hash: Buffer
  password_hash: Nullable<string>
  expires_at: Nullable<Date>
  /** The last day, in UTC, on which it was used. */
  last_used_on: Nullable<Day>
  /** The account that created it, which may be deleted. */
  created_by: Nullable<string>
  created_at: Created
  /** Whether it belongs to one person of the circle. */
  is_person: Generated<boolean>
}

/** A readable address of a project, current or former. */
export type ProjectSlugRow = {
  slug: string
  project_id: string
  is_current: boolean
  created_at: Created
}

/** A name of a person's public page, current or former. */
export type ProfileNameRow = { name: string; user_id: string; created_at: Created }

/** A person's public page. `name`: the current one. */
export type ProfileRow = { user_id: string; name: Nullable<string>; about: string; is_on: boolean }

/** The digest of a name of a deleted account, which nobody can take. */
export type RetiredProfileNameRow = { digest: Buffer }

/** The public pages that are on, of people who can sign in. */
export type PublicProfileRow = ReadOnly<{
  user_id: string
  name: string
  about: string
  display_name: string
}>

/** When a draft publishes itself. */
export type EntryScheduleRow = {
  entry_id: string
  publish_at: Timestamp
  zone: string
}

/** An event for a webhook, added by a trigger. `next_at` is its next attempt; null once it was delivered or given up. */
export type WebhookDeliveryRow = {
  id: Generated<string>
  webhook_id: string
  /** Null for a test message. */
  activity_id: Nullable<string>
  attempts: Generated<number>
  next_at: Nullable<Date>
  tried_at: Nullable<Date>
  delivered_at: Nullable<Date>
  outcome: Nullable<string>
  created_at: Created
}

/** A token with which a program acts for a user. Revoking deletes it. */
export type AccessTokenRow = Remembering & {
  id: string
  user_id: string
  name: string
  /** SHA-256 of the token. */
  token_hash: Buffer
  scopes: Scope[]
  /** Null: all projects of the user. */
  project_ids: string[] | null
  created_at: Created
  expires_at: Date | null
  last_used_at: Date | null
}

export type ProjectRow = Deletable &
  Remembering & {
    id: string
    owner_id: string
    /** The account that created it, which may be deleted; null if it was created before this column was added. */
    created_by: Nullable<string>
    title: string
    description: string
    /** Derived from the visibility by a trigger. A statement that sets only this column sets the visibility. */
    is_public: Generated<boolean>
    visibility: ColumnType<Visibility, Visibility | undefined, Visibility>
    /** The cover. No foreign key, because files reference projects. */
    cover_file_id: Nullable<string>
    /** Whether the project has no cover by choice, instead of that of its newest entry. */
    no_cover: Generated<boolean>
    version: Generated<number>
    /** Incremented by triggers with each change of the project or of anything in it. */
    revision: ColumnType<number, never, never>
    /** When `revision` last changed; null if it has not changed since this column was added. */
    changed_at: ColumnType<Date | null, never, never>
    /** Maintained by triggers, like the entry count. */
    milestone_count: ColumnType<number, never, never>
    completed_milestone_count: ColumnType<number, never, never>
    /** The storage of the project and everything in it, maintained by triggers. */
    text_bytes: ColumnType<number, never, never>
    file_bytes: ColumnType<number, never, never>
    created_at: Created
    updated_at: Timestamp
  }

/** Projects that are not in the trash. */
export type LiveProjectRow = ReadOnly<Omit<ProjectRow, keyof Deletable | keyof Remembering | 'created_by'>>

/** Projects that anybody may read. Every statement about public projects reads this view. */
export type PublicProjectRow = Omit<LiveProjectRow, 'is_public' | 'version' | 'text_bytes' | 'file_bytes'>

export type MilestoneRow = Deletable &
  Remembering & {
    id: string
    project_id: string
    /** The account that created it, which may be deleted; null if it was created before this column was added. */
    created_by: Nullable<string>
    title: string
    description: string
    completed: boolean
    /** The position in the project: a fractional index. A trigger appends new milestones. */
    position: Generated<string>
    starts_on: Nullable<Day>
    due_on: Nullable<Day>
    /** When it was completed, set by a trigger; null also for completions before this column was added. */
    reached_at: ColumnType<Date | null, never, never>
    version: Generated<number>
    /** Incremented by triggers with each change of the milestone or its live entries, except their bytes. */
    revision: ColumnType<number, never, never>
    /** The number of live entries, maintained by triggers, like the bytes, which include drafts. */
    entry_count: ColumnType<number, never, never>
    text_bytes: ColumnType<number, never, never>
    /** When the latest live entry was published, maintained by triggers; null without one. */
    last_published_at: ColumnType<Date | null, never, never>
    /** When its newest live entry with a cover happened, maintained by triggers; null without one. */
    newest_cover_at: ColumnType<Date | null, never, never>
    created_at: Created
    updated_at: Timestamp
  }

/** Milestones that are not in the trash. */
export type LiveMilestoneRow = ReadOnly<
  Omit<MilestoneRow, keyof Deletable | keyof Remembering | 'created_by' | 'revision'>
>

export type EntryRow = Deletable &
  Remembering & {
    id: string
    milestone_id: string
    title: string
    content: string
    tags: string[]
    /** The size of all revisions except the newest. A save adds the replaced content; a trigger subtracts what is deleted. */
    history_bytes: Generated<number>
    /** The file that was chosen as its cover. Takes precedence over `first_picture_id`. */
    cover_file_id: Nullable<string>
    /** Whether the first picture of the text is by choice not its cover. */
    no_cover: Generated<boolean>
    /** The first picture of the text among the project's files. No foreign key: the file may be gone. */
    first_picture_id: Nullable<string>
    /** The sort key of the title, computed from it. */
    title_key: ColumnType<string, never, never>
    /** When the described events happened; the sort order of lists. A trigger defaults it to `created_at`. */
    happened_at: Generated<Date>
    /** The author's calendar day at that time, in `happened_zone`. */
    happened_on: Generated<Day>
    happened_zone: Generated<string>
    /** The author's account; null if it is unknown or deleted. */
    author_id: Nullable<string>
    /** The author's name when the entry was created, or when the account was deleted. */
    author_name: Nullable<string>
    state: Generated<EntryState>
    /** When it was first published, set by a trigger. */
    published_at: ColumnType<Date | null, never, never>
    version: Generated<number>
    created_at: Created
    updated_at: Timestamp
  }

/** Entries that readers see: published, and not in the trash. Statements that show, count or list entries read this view. */
export type LiveEntryRow = ReadOnly<Omit<EntryRow, 'history_bytes' | keyof Deletable | keyof Remembering>>

/** Live entries and the drafts of all authors. A statement on this view must compare `author_id` with its reader. */
export type EntryOrDraftRow = LiveEntryRow

/** The content of an entry from one save to the next. An entry from before migration 0021 has none until its next save. */
export type EntryRevisionRow = {
  id: string
  entry_id: string
  /** The first of the entry versions with this content. There are several if saves did not change it. */
  first_version: number
  version: number
  title: string
  content: string
  tags: string[]
  happened_at: Date
  happened_on: Day
  happened_zone: string
  /** No foreign key; its use prevents the deletion of the file. */
  cover_file_id: string | null
  no_cover: boolean
  /** The state of the entry at that time. Only the author sees revisions of drafts. */
  state: EntryState
  word_count: number | null
  /** The authors: several after a merge, none if unknown. Their accounts may be deleted. */
  author_ids: string[]
  /** The authors' names at that time, in the same order. */
  author_names: string[]
  /** A name that a user gave it. Named revisions are never deleted. */
  name: Nullable<string>
  cause: 'save' | 'restore' | 'merge'
  /** Its author saved again within minutes, so no list shows it. */
  superseded: Generated<boolean>
  /** The stage of thinning: none, the last revision of a day, the last of a week. */
  kept: Generated<'all' | 'daily' | 'weekly'>
  /** The size of title, content and tags. */
  bytes: number
  /** The time of the first save in the chain of superseded revisions that leads to this one. */
  begun_at: Date
  created_at: Created
}

/** The autosaved draft of a person for an entry or a new one. The browser generates the id. */
export type EntryDraftRow = {
  id: string
  writer_id: string
  entry_id: string | null
  milestone_id: string | null
  title: string
  content: string
  tags: string[]
  happened_at: Nullable<Date>
  happened_on: Nullable<Day>
  happened_zone: Nullable<string>
  /** No foreign key; its use prevents the deletion of the file. */
  cover_file_id: Nullable<string>
  /** The choice of a cover that is not a file; null without a choice. */
  cover_choice: Nullable<'default' | 'none'>
  /** The version of the entry on which the draft is based. */
  base_version: Nullable<number>
  version: Generated<number>
  created_at: Created
  updated_at: Timestamp
}

/** The rendering of one version of an entry, and the version of the renderer. */
export type EntryRenderingRow = {
  entry_id: string
  entry_version: number
  renderer: number
  rendered_as: 'markdown' | 'plain'
  excerpt: string
  word_count: number
  html: string
  headings: ColumnType<{ id: string; level: number; text: string }[], string, string>
}

/** A tag of a live entry. Maintained by triggers, like `MilestoneTagRow`. */
export type EntryTagRow = ReadOnly<{
  entry_id: string
  tag: string
  milestone_id: string
  /** The entry's `happened_at`. Servers from before migration 0018 use this column name. */
  created_at: Date
  title_key: string
}>

/** A tag of a milestone, and the number of its entries with it. */
export type MilestoneTagRow = ReadOnly<{ milestone_id: string; tag: string; entry_count: number }>

/** The storage of an account: everything in the projects that it owns. Maintained by triggers. */
export type StorageUsageRow = ReadOnly<{ user_id: string; text_bytes: number; file_bytes: number }>

/** A file that texts refer to. Triggers set `unused_since` while nothing uses it. */
export type FileRow = Remembering & {
  id: string
  /** The project of the upload, whose owner's quota it counts towards; null once the project was deleted. */
  project_id: string | null
  uploader_id: string | null
  name: string
  kind: 'image' | 'video' | 'audio' | 'other'
  type: string
  /** The size of the original. */
  size: number
  /** What counts towards the quota: first the announced size, then the size of everything that is stored. */
  bytes: number
  state: Generated<'waiting' | 'ready' | 'removing'>
  width: Nullable<number>
  height: Nullable<number>
  animated: Generated<boolean>
  /** The local time of the camera, as `2026-07-31T18:05:00`. */
  taken_at: Nullable<string>
  blur: Nullable<string>
  /** The tint of contour lines (`tintOfColor`) that is closest to a picture. */
  tint: Nullable<number>
  /** The stored widths of a picture, ascending. */
  widths: Generated<number[]>
  /** The number of attempts to store its bytes, incremented before each. Every attempt has its own keys. */
  attempt: Generated<number>
  unused_since: ColumnType<Date | null, unknown, unknown>
  created_at: Created
}

/** The use of a file by an entry, a revision or a draft (in the text or as cover) or by a project (as cover). */
export type FileUseRow = {
  file_id: string
  entry_id: Nullable<string>
  project_id: Nullable<string>
  revision_id: Nullable<string>
  draft_id: Nullable<string>
  used_as: 'text' | 'cover'
}

/** Rows that were deleted together and are restored together. They have this id as their `deletion_id`. */
export type DeletionRow = {
  id: string
  project_id: string
  /** The deleted milestone, or the milestone of the deleted entry; null for a project. */
  milestone_id: string | null
  /** The deleted entry; null for a project or a milestone. */
  entry_id: string | null
  deleted_at: Created
  deleted_by: string | null
  /** The number of deleted rows. Drafts are not counted. */
  milestones: number
  entries: number
  /** When its permanent deletion began, after which it cannot be restored. */
  purged_at: Nullable<Date>
}

/** A deletion that was undone. */
export type RestorationRow = {
  id: string
  project_id: string
  milestone_id: string | null
  entry_id: string | null
  restored_by: string | null
  restored_at: Created
}

/** The id of a permanently deleted row, which is not used again. */
export type RemovedIdRow = ReadOnly<{ id: string; removed_at: Date }>

/** The changes of all rows of a table, which no view of what is shown has. */
export type RememberedRow = ReadOnly<{ id: string; changes: string[] }>

/** An invitation and, once accepted, a membership. */
export type CollaboratorRow = Remembering & {
  id: string
  project_id: string
  email: string
  role: CollaboratorRole
  status: CollaboratorStatus
  /** The encrypted token of a pending invitation. */
  invite_token_encrypted: Nullable<Buffer>
  /** The hash by which the token is found. It remains after the token was used, so that its owner can use the link again. */
  token_hash: Nullable<string>
  expires_at: Date | null
  inviter_id: string | null
  /** The person who accepted or declined. */
  user_id: string | null
  joined_at: Nullable<Date>
  /** When the email with the current token was sent. */
  mailed_at: Nullable<Date>
  undeliverable_at: Nullable<Date>
  /** The time of the invitation, or of its latest renewal. */
  created_at: Timestamp
  updated_at: Timestamp
}

/** A person who was notified of the invitation with this token. */
export type InvitationNoticeRow = { collaborator_id: string; user_id: string; token_hash: string }

/** An invitation that counts towards its inviter's limit. */
export type InvitationMadeRow = { id: string; inviter_id: string; made_at: Created }

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

/** An email with news, which notifications refer to. */
export type NewsEmailRow = {
  id: string
  user_id: string
  kind: 'daily' | 'mention'
  created_at: Created
  sent_at: Nullable<Date>
}

/** An entry that readers may read for the first time, or a milestone that is reached, at a revision of its project. */
export type ReaderNewsRow = {
  id: string
  project_id: string
  revision: string
  entry_id: Nullable<string>
  milestone_id: Nullable<string>
  created_at: Generated<Date>
}

/** A reader without an account who is emailed the news of a public project, or of what their share link shows, once they have confirmed it. */
export type FollowerRow = {
  id: string
  project_id: string
  email: string
  created_at: Generated<Date>
  confirmed_at: Nullable<Date>
  /** The revision of the project up to which news was given to an email. */
  told_through: Generated<string>
  link_id: Nullable<string>
  emailed_at: Nullable<Date>
  /** How many of the latest emails the mail server refused for good. */
  refusals: Generated<number>
}

/** An email to a follower with the news after one revision of the project, through another one. */
export type FollowerEmailRow = {
  id: string
  follower_id: string
  after: string
  through: string
  created_at: Generated<Date>
  sent_at: Nullable<Date>
}

/** What a project offers its readers, if that was chosen. */
export type ReaderSettingsRow = {
  project_id: string
  emails: Generated<boolean>
  reactions: Generated<boolean>
  downloads: Generated<boolean>
}

/** A reaction of a reader, who is a hash under the salt of the year. */
export type EntryReactionRow = { entry_id: string; kind: ReactionKind; reader: Buffer; year: number }

/** The number of reactions of earlier years. */
export type EntryReactionTotalRow = { entry_id: string; kind: ReactionKind; count: number }

export type ReactionSaltRow = { year: number; salt: Buffer }

/** What a member hears of a project, and when they looked at it. */
export type ProjectWatchRow = {
  user_id: string
  project_id: string
  level: Generated<WatchLevel>
  /** When they last looked at it, and when their visit before began to end. */
  seen_at: Nullable<Date>
  new_since: Nullable<Date>
}

/** A member whom an entry mentions, and who was told so. */
export type EntryMentionRow = { entry_id: string; user_id: string }

/** A milestone of which members were told that it is due. */
export type MilestoneReminderRow = { milestone_id: string; due_on: string }

/** An event in a project. Rows change only when the account of a person in them is deleted. */
export type ActivityRow = {
  id: string
  project_id: string
  kind: ActivityKind
  actor_id: string | null
  /** The actor's name at that time, or when the account was deleted. */
  actor_name: string
  /** The account of the person concerned. */
  person_id: string | null
  /** The milestone concerned; it may be deleted. */
  milestone_id: string | null
  entry_id: string | null
  /** The title, name or email of the subject at that time. */
  subject: string
  details: ColumnType<ActivityDetails, string, never>
  created_at: Created
}

/** An idempotency key, with the encrypted response of its call. */
export type IdempotencyKeyRow = {
  user_id: string
  call: string
  key: string
  request_hash: Buffer
  answer: Nullable<Buffer>
  created_at: Created
}

/** The administrators' choice of who may register. At most one row. */
export type RegistrationSettingsRow = {
  only_row: Generated<true>
  mode: RegistrationMode
  domains: string[]
  /** Starts at 2. Version 1 means that nobody has chosen. */
  version: Generated<number>
}

/** When the last backup was made. At most one row. */
export type LastBackupRow = { only_row: Generated<true>; made_at: Date }

/** The announcement and terms of the administrators. At most one row. */
export type InstanceTextsRow = {
  only_row: Generated<true>
  announcement: Nullable<string>
  /** Changes with the announcement, so that dismissing one does not hide the next. */
  announcement_id: Nullable<string>
  announcement_version: Generated<number>
  terms: Nullable<string>
  terms_changed_at: Nullable<Date>
  terms_version: Generated<number>
}

/** An invitation to register on this server. */
export type ServerInvitationRow = Remembering & {
  id: string
  email: string
  token_encrypted: Buffer
  token_hash: string
  inviter_id: string | null
  mailed_at: Nullable<Date>
  undeliverable_at: Nullable<Date>
  created_at: Timestamp
  expires_at: Timestamp
}

/** An administrator's action. It identifies people by ids that outlive their accounts. */
export type AuditRow = {
  id: string
  kind: AuditKind
  actor_id: string | null
  person_id: string | null
  email: string | null
  details: ColumnType<AuditDetails, string, never>
  created_at: Created
}

/** A former email of an account. It is notified of the change, and deleted with the account. */
export type FormerEmailRow = { id: string; user_id: string; email: string; changed_at: Created }

/** The picture of a person, a small square. Its id changes with the picture. */
export type ProfilePictureRow = { user_id: string; id: string; bytes: Buffer }

/** An archive that a person brings. */
export type ImportTableRow = {
  id: string
  /** Null once the account was deleted: then the archive is removed. */
  user_id: string | null
  name: string
  fingerprint: string
  size: number
  received: Generated<number>
  /** How many parts are in the file store. */
  parts: Generated<number>
  source: Nullable<ImportSource>
  state: ImportState
  problem: Nullable<string>
  plan: ColumnType<ImportPlan | null, string | null | undefined, string | null>
  choices: ColumnType<ImportChoices | null, string | null | undefined, string | null>
  report: ColumnType<ImportReport | null, string | null | undefined, string | null>
  done: Generated<number>
  /** Until then, a process works on it. */
  lease_until: Nullable<Date>
  undo_until: Nullable<Date>
  /** The digest of the network from which it was begun, until its archive is removed. */
  network: Nullable<string>
  created_at: Created
  updated_at: Timestamp
}

/** What an import has created. */
export type ImportItemRow = {
  import_id: string
  ref: string
  source_id: string
  kind: 'project' | 'milestone' | 'file' | 'entry'
  target_id: string
}

/** A project of whose anniversaries a person is not reminded. */
export type ForgottenAnniversaryRow = { user_id: string; project_id: string }

/** A change of several entries that its maker can undo for a day. */
export type BulkChangeRow = {
  id: string
  project_id: string
  made_by: string
  kind: 'tag_renamed' | 'entries_moved' | 'entries_deleted'
  details: ColumnType<BulkChangeDetails, string, never>
  made_at: Created
  /** How many entries Undo changed; null before it. */
  undone_entries: Nullable<number>
}

/** `tag_renamed`: both names. `entries_moved`: to where. */
export type BulkChangeDetails = {
  tag?: string
  name?: string
  isMerged?: boolean
  milestone?: string
  project?: string
}

/** An entry of a bulk change, and what it had before. */
export type BulkChangeEntryRow = {
  bulk_change_id: string
  entry_id: string
  /** Null if the tag had only to be replaced. */
  former_tags: string[] | null
  former_milestone_id: string | null
  /** The deletion that moved it to the trash. */
  deletion: string | null
}

/** The tables and views as kysely sees them. The identity provider has its own, in the schema `identity`. */
export type Schema = {
  users: UserRow
  former_emails: FormerEmailRow
  profile_pictures: ProfilePictureRow
  registration_settings: RegistrationSettingsRow
  last_backup: LastBackupRow
  instance_texts: InstanceTextsRow
  server_invitations: ServerInvitationRow
  audit_log: AuditRow
  sessions: SessionRow
  access_tokens: AccessTokenRow
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
  share_links: ShareLinkRow
  entry_schedules: EntryScheduleRow
  bulk_changes: BulkChangeRow
  bulk_change_entries: BulkChangeEntryRow
  project_slugs: ProjectSlugRow
  profile_names: ProfileNameRow
  profiles: ProfileRow
  retired_profile_names: RetiredProfileNameRow
  public_profiles: PublicProfileRow
  projects: ProjectRow
  live_projects: LiveProjectRow
  public_projects: PublicProjectRow
  milestones: MilestoneRow
  live_milestones: LiveMilestoneRow
  entries: EntryRow
  live_entries: LiveEntryRow
  entries_and_drafts: EntryOrDraftRow
  entry_tags: EntryTagRow
  entry_renderings: EntryRenderingRow
  entry_revisions: EntryRevisionRow
  entry_drafts: EntryDraftRow
  milestone_tags: MilestoneTagRow
  files: FileRow
  file_uses: FileUseRow
  deletions: DeletionRow
  restorations: RestorationRow
  removed_ids: RemovedIdRow
  project_changes: RememberedRow
  milestone_changes: RememberedRow
  entry_changes: RememberedRow
  storage_usage: StorageUsageRow
  collaborators: CollaboratorRow
  invitation_notices: InvitationNoticeRow
  invitations_made: InvitationMadeRow
  notifications: NotificationRow
  project_watches: ProjectWatchRow
  news_emails: NewsEmailRow
  reader_news: ReaderNewsRow
  followers: FollowerRow
  follower_emails: FollowerEmailRow
  reader_settings: ReaderSettingsRow
  reaction_salts: ReactionSaltRow
  entry_reactions: EntryReactionRow
  entry_reaction_totals: EntryReactionTotalRow
  entry_mentions: EntryMentionRow
  milestone_reminders: MilestoneReminderRow
  activity: ActivityRow
  idempotency_keys: IdempotencyKeyRow
  imports: ImportTableRow
  import_items: ImportItemRow
  forgotten_anniversaries: ForgottenAnniversaryRow
}

/** A database, or a transaction on it. */
export type Db = Kysely<Schema> | Transaction<Schema>
