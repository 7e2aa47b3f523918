import type { ColumnType, Generated, Kysely, SelectType, Transaction } from 'kysely'
import type { ActivityDetails, ActivityKind } from '#contract/activity.ts'
import type { AuditDetails, AuditKind } from '#contract/administration.ts'
import type { Scope } from '#contract/call.ts'
import type { CollaboratorStatus } from '#contract/collaborators.ts'
import type { DateFormat } from '#contract/date-formats.ts'
import type { EntryState } from '#contract/entries.ts'
import type { RegistrationMode } from '#contract/identity.ts'
import type { EmailedNotification, NotificationType } from '#contract/notifications.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { Visibility } from '#contract/projects.ts'

type Timestamp = ColumnType<Date, Date, Date>
type Created = ColumnType<Date, Date, never>
/** A calendar day, `YYYY-MM-DD`. */
type Day = string
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
/** A row that the database writes by itself, or that of a view. */
type ReadOnly<Row> = { [K in keyof Row]: ColumnType<SelectType<Row[K]>, never, never> }

/** The marks of the trash; what has them is in no view. */
type Deletable = {
  deleted_at: Nullable<Date>
  deleted_by: Nullable<string>
  /** What was deleted together has the same one. */
  deletion_id: Nullable<string>
}

/** How dates are written for a person; null: as their browser writes them, and in emails in English and UTC. */
export type DateColumns = {
  time_zone: string | null
  date_format: DateFormat | null
}

/** A person, keyed by what the identity provider says of them: (issuer, subject). */
export type UserRow = {
  id: string
  issuer: string
  subject: string
  name: string
  email: string
  email_verified: boolean
  photo_url: string | null
  /** When they chose their name here; null where it is the provider's. */
  named_at: Nullable<Date>
  /** Since when the account is being deleted; its owner may keep it for some days. */
  leaving_since: Nullable<Date>
  is_admin: Generated<boolean>
  /** Since when the account waits for an administrator's approval. */
  awaiting_since: Nullable<Date>
  suspended_at: Nullable<Date>
  /** What they may store, in bytes; null: as the setting says. */
  quota_bytes: Nullable<number>
  /** The kinds of notifications that they do not want. */
  muted_notifications: Generated<NotificationType[]>
  muted_emails: Generated<EmailedNotification[]>
  time_zone: Nullable<string>
  date_format: Nullable<DateFormat>
  /** When they last opened a session. */
  last_seen_at: Nullable<Date>
  created_at: Created
  updated_at: Timestamp
}

/** A sign-in: the application tokens that contain its id end with it, and it ends with the provider's session. */
export type SessionRow = {
  id: string
  user_id: string
  provider_session: string | null
  created_at: Created
  revoked_at: Date | null
}

/** A URL to which the events of a project are posted. */
export type WebhookRow = {
  id: string
  project_id: string
  url: string
  secret_encrypted: Buffer
  /** Signs beside the secret until then. */
  former_secret_encrypted: Nullable<Buffer>
  former_secret_until: Nullable<Date>
  /** Since when nothing arrives. */
  failing_since: Nullable<Date>
  disabled_at: Nullable<Date>
  created_at: Created
}

/** An event for a webhook, added by a trigger: `next_at` is when it is tried, null once it was delivered or given up. */
export type WebhookDeliveryRow = {
  id: Generated<string>
  webhook_id: string
  /** Null: a test message. */
  activity_id: Nullable<string>
  attempts: Generated<number>
  next_at: Nullable<Date>
  tried_at: Nullable<Date>
  delivered_at: Nullable<Date>
  outcome: Nullable<string>
  created_at: Created
}

/** A token by which a program acts for a person; revoked, it is deleted. */
export type AccessTokenRow = {
  id: string
  user_id: string
  name: string
  /** SHA-256 of the token. */
  token_hash: Buffer
  scopes: Scope[]
  /** Null: in every project of the person. */
  project_ids: string[] | null
  created_at: Created
  expires_at: Date | null
  last_used_at: Date | null
}

export type ProjectRow = Deletable & {
  id: string
  owner_id: string
  title: string
  description: string
  /** Follows from the visibility, by a trigger; an insert or update that names it alone sets the visibility. */
  is_public: Generated<boolean>
  visibility: ColumnType<Visibility, Visibility | undefined, Visibility>
  /** The file that is its cover; refers to no table, as files refer to projects. */
  cover_file_id: Nullable<string>
  version: Generated<number>
  /** Raised by triggers with each change of the project or of anything under it. */
  revision: ColumnType<number, never, never>
  /** When that last happened; null before the first change since this is written down. */
  changed_at: ColumnType<Date | null, never, never>
  /** The two counts are kept by triggers. */
  milestone_count: ColumnType<number, never, never>
  completed_milestone_count: ColumnType<number, never, never>
  /** What the project and everything under it stores; kept by triggers. */
  text_bytes: ColumnType<number, never, never>
  file_bytes: ColumnType<number, never, never>
  created_at: Created
  updated_at: Timestamp
}

/** The projects that are not in the trash. */
export type LiveProjectRow = ReadOnly<Omit<ProjectRow, keyof Deletable>>

/** The projects that anybody may read: every statement about public projects reads this view. */
export type PublicProjectRow = Omit<LiveProjectRow, 'is_public' | 'version' | 'text_bytes' | 'file_bytes'>

export type MilestoneRow = Deletable & {
  id: string
  project_id: string
  title: string
  description: string
  completed: boolean
  /** The position of the milestone in its project: a fractional index. A trigger puts a new one last. */
  position: Generated<string>
  starts_on: Nullable<Day>
  due_on: Nullable<Day>
  /** When it was completed, by a trigger; null also where that was before this was written down. */
  reached_at: ColumnType<Date | null, never, never>
  version: Generated<number>
  /** Raised by triggers with each change of the milestone or its live entries, bytes aside. */
  revision: ColumnType<number, never, never>
  /** Of live entries; kept by triggers, as are the bytes, which are those of drafts too. */
  entry_count: ColumnType<number, never, never>
  text_bytes: ColumnType<number, never, never>
  file_bytes: ColumnType<number, never, never>
  /** When the latest of its live entries was published, kept by triggers; null without one. */
  last_published_at: ColumnType<Date | null, never, never>
  created_at: Created
  updated_at: Timestamp
}

/** The milestones that are not in the trash. */
export type LiveMilestoneRow = ReadOnly<Omit<MilestoneRow, keyof Deletable | 'revision'>>

export type EntryRow = Deletable & {
  id: string
  milestone_id: string
  title: string
  content: string
  tags: string[]
  image_id: Nullable<string>
  image_width: Nullable<number>
  image_height: Nullable<number>
  /** Of all variants together; 0 without an image. */
  image_bytes: Generated<number>
  /** Of its revisions but the newest: a save adds what it replaces, and a trigger subtracts what is deleted. */
  history_bytes: Generated<number>
  /** The file that is its cover; comes before `image_id`. */
  cover_file_id: Nullable<string>
  /** What the title sorts by; follows from it. */
  title_key: ColumnType<string, never, never>
  /** When what it describes happened; lists are ordered by it. A trigger takes `created_at` where it is not given. */
  happened_at: Generated<Date>
  /** The calendar day that its author saw then, in `happened_zone`. */
  happened_on: Generated<Day>
  happened_zone: Generated<string>
  /** The account that wrote it; null where that is not known, or gone. */
  author_id: Nullable<string>
  /** The author's name when the entry was written, or when the account was deleted. */
  author_name: Nullable<string>
  state: Generated<EntryState>
  /** When it was first published, by a trigger. */
  published_at: ColumnType<Date | null, never, never>
  version: Generated<number>
  created_at: Created
  updated_at: Timestamp
}

/** The entries that readers see: published, and not in the trash. What shows, counts or lists entries reads this view. */
export type LiveEntryRow = ReadOnly<Omit<EntryRow, 'image_bytes' | 'history_bytes' | keyof Deletable>>

/** Live entries and the drafts of everybody: a statement on this view compares `author_id` with its reader. */
export type EntryOrDraftRow = LiveEntryRow

/** What an entry was from one of its saves until the next. An entry of before 0021 has none until its next save. */
export type EntryRevisionRow = {
  id: string
  entry_id: string
  /** The versions of the entry that had this text: several where saves in between did not change it. */
  first_version: number
  version: number
  title: string
  content: string
  tags: string[]
  happened_at: Date
  happened_on: Day
  happened_zone: string
  /** Refers to no table; its use keeps the file. */
  cover_file_id: string | null
  /** Of the entry then: what was written in a draft stays its author's alone. */
  state: EntryState
  word_count: number | null
  /** Who wrote it, several after a merge, none where that is not known; the accounts may be gone. */
  author_ids: string[]
  /** Their names then, in the same order. */
  author_names: string[]
  /** What somebody called it, so that it is kept for ever. */
  name: Nullable<string>
  cause: 'save' | 'restore' | 'merge'
  /** Its author saved again within minutes: no list shows it. */
  superseded: Generated<boolean>
  /** How far it was thinned out: not yet, as the last of its day, as the last of its week. */
  kept: Generated<'all' | 'daily' | 'weekly'>
  /** Of title, content and tags. */
  bytes: number
  /** When the first of the saves was that this one supersedes, each by the next. */
  begun_at: Date
  created_at: Created
}

/** What a person is writing and has not saved: of an entry, or of one that is yet to be. The browser makes the id. */
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
  /** Refers to no table; its use keeps the file. */
  cover_file_id: Nullable<string>
  /** The version of the entry that the writer began with. */
  base_version: Nullable<number>
  version: Generated<number>
  created_at: Created
  updated_at: Timestamp
}

/** What the content of one version of an entry was rendered to, and by which version of the renderer. */
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

/** A tag of a live entry. Kept by triggers, as is `MilestoneTagRow`. */
export type EntryTagRow = ReadOnly<{
  entry_id: string
  tag: string
  milestone_id: string
  /** The entry's `happened_at`; servers of the release before 0018 know it by this name. */
  created_at: Date
  title_key: string
}>

/** A tag of a milestone and how many of its entries carry it. */
export type MilestoneTagRow = ReadOnly<{ milestone_id: string; tag: string; entry_count: number }>

/** What an account stores: everything under the projects that it owns. Kept by triggers. */
export type StorageUsageRow = ReadOnly<{ user_id: string; text_bytes: number; file_bytes: number }>

/** An image in the store. Triggers set `remove_after` unless an entry shows it. */
export type ImageRow = { id: string; remove_after: ColumnType<Date | null, unknown, unknown> }

/** A file that texts refer to. Triggers set `unused_since` while nothing uses it. */
export type FileRow = {
  id: string
  /** The project that it was uploaded to, whose owner pays for it; null once that is gone. */
  project_id: string | null
  uploader_id: string | null
  name: string
  kind: 'image' | 'video' | 'audio' | 'other'
  type: string
  /** Of the original. */
  size: number
  /** What counts towards the quota: what was promised, and then all that is stored. */
  bytes: number
  state: Generated<'waiting' | 'ready' | 'removing'>
  width: Nullable<number>
  height: Nullable<number>
  animated: Generated<boolean>
  /** The local time of the camera, as `2026-07-31T18:05:00`. */
  taken_at: Nullable<string>
  blur: Nullable<string>
  /** The widths in which a picture is stored, the narrowest first. */
  widths: Generated<number[]>
  /** How often its bytes were stored, counted before they are; each time under keys of its own. */
  attempt: Generated<number>
  unused_since: ColumnType<Date | null, unknown, unknown>
  created_at: Created
}

/** That an entry, one of its revisions or a draft (by the text or the cover) or a project (by its cover) uses a file. */
export type FileUseRow = {
  file_id: string
  entry_id: Nullable<string>
  project_id: Nullable<string>
  revision_id: Nullable<string>
  draft_id: Nullable<string>
  used_as: 'text' | 'cover'
}

/** What was deleted at once and can be restored at once: its rows have this id as their `deletion_id`. */
export type DeletionRow = {
  id: string
  project_id: string
  /** The milestone that was deleted, or whose entry was; null where that was a project. */
  milestone_id: string | null
  /** The entry that was deleted; null where that was a project or a milestone. */
  entry_id: string | null
  deleted_at: Created
  deleted_by: string | null
  /** How many were deleted. Drafts are not counted. */
  milestones: number
  entries: number
  /** Since when it is being deleted for ever, and can no longer be restored. */
  purged_at: Nullable<Date>
}

/** An invitation and, once accepted, a membership. */
export type CollaboratorRow = {
  id: string
  project_id: string
  email: string
  role: CollaboratorRole
  status: CollaboratorStatus
  /** The encrypted token of a pending invitation. */
  invite_token_encrypted: Nullable<Buffer>
  /** By which the token is found; stays once it is used, so that its owner may use it again. */
  token_hash: Nullable<string>
  expires_at: Date | null
  inviter_id: string | null
  /** The person who answered. */
  user_id: string | null
  joined_at: Nullable<Date>
  /** When the email of the present token was sent. */
  mailed_at: Nullable<Date>
  /** The time of the invitation; of the latest, where it was renewed. */
  created_at: Timestamp
  updated_at: Timestamp
}

/** Whom an invitation was given to: the one with this token. */
export type InvitationNoticeRow = { collaborator_id: string; user_id: string; token_hash: string }

/** An invitation that counts against its inviter's limit. */
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
}

/** What happened in a project; never changed, but for the people in it when an account is deleted. */
export type ActivityRow = {
  id: string
  project_id: string
  kind: ActivityKind
  actor_id: string | null
  /** The actor's name when it happened, or when the account was deleted. */
  actor_name: string
  /** The account that it was done to. */
  person_id: string | null
  /** What it happened to, or in; may be gone. */
  milestone_id: string | null
  entry_id: string | null
  /** The title, name or email of what it happened to, as it was then. */
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

/** The tables and views, as kysely sees them. The identity provider keeps its own beside them, in the schema `identity`. */
/** Who may register, once an administrator has chosen: one row. */
export type RegistrationSettingsRow = {
  only_row: Generated<true>
  mode: RegistrationMode
  domains: string[]
  /** From 2: 1 is of what nobody has chosen. */
  version: Generated<number>
}

/** What administrators tell people, once they have: one row. */
export type InstanceTextsRow = {
  only_row: Generated<true>
  announcement: Nullable<string>
  /** Changes with the announcement, so that one that was dismissed hides no other. */
  announcement_id: Nullable<string>
  announcement_version: Generated<number>
  terms: Nullable<string>
  terms_changed_at: Nullable<Date>
  terms_version: Generated<number>
}

/** An invitation to make an account on this server. */
export type ServerInvitationRow = {
  id: string
  email: string
  token_encrypted: Buffer
  token_hash: string
  inviter_id: string | null
  mailed_at: Nullable<Date>
  created_at: Timestamp
  expires_at: Timestamp
}

/** What an administrator did. It names people by ids that outlive their accounts. */
export type AuditRow = {
  id: string
  kind: AuditKind
  actor_id: string | null
  person_id: string | null
  email: string | null
  details: ColumnType<AuditDetails, string, never>
  created_at: Created
}

/** A former email of an account: it gets a notice of the change, and is deleted with the account. */
export type FormerEmailRow = { id: string; user_id: string; email: string; changed_at: Created }

/** The picture of a person, a small square; its id changes with it. */
export type ProfilePictureRow = { user_id: string; id: string; bytes: Buffer }

export type Schema = {
  users: UserRow
  former_emails: FormerEmailRow
  profile_pictures: ProfilePictureRow
  registration_settings: RegistrationSettingsRow
  instance_texts: InstanceTextsRow
  server_invitations: ServerInvitationRow
  audit_log: AuditRow
  sessions: SessionRow
  access_tokens: AccessTokenRow
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
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
  images: ImageRow
  files: FileRow
  file_uses: FileUseRow
  deletions: DeletionRow
  storage_usage: StorageUsageRow
  collaborators: CollaboratorRow
  invitation_notices: InvitationNoticeRow
  invitations_made: InvitationMadeRow
  notifications: NotificationRow
  activity: ActivityRow
  idempotency_keys: IdempotencyKeyRow
}

/** A database, or a transaction on it. */
export type Db = Kysely<Schema> | Transaction<Schema>
