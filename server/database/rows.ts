import type { ColumnType, Generated, Kysely, SelectType, Transaction } from 'kysely'
import type { CollaboratorStatus } from '#contract/collaborators.ts'
import type { EntryState } from '#contract/entries.ts'
import type { NotificationType } from '#contract/notifications.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { Visibility } from '#contract/projects.ts'

type Timestamp = ColumnType<Date, Date, Date>
type Created = ColumnType<Date, Date, never>
/** A calendar day, `YYYY-MM-DD`. */
type Day = string
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
/** A row that the database writes by itself, or that of a view. */
type ReadOnly<Row> = { [K in keyof Row]: ColumnType<SelectType<Row[K]>, never, never> }

/** The marks of the trash. Nothing sets them yet; what has them is in no view. */
type Deletable = {
  deleted_at: Nullable<Date>
  deleted_by: Nullable<string>
  /** What was deleted together has the same one. */
  deletion_id: Nullable<string>
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
  /** Where the milestone stands in its project: a key of fractional indexing. A trigger puts a new one last. */
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
  /** The file that is its cover; comes before `image_id`. */
  cover_file_id: Nullable<string>
  /** What the title sorts by; follows from it. */
  title_key: ColumnType<string, never, never>
  /** When what it tells of happened; lists are ordered by it. A trigger takes `created_at` where it is not given. */
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
export type LiveEntryRow = ReadOnly<Omit<EntryRow, 'image_bytes' | keyof Deletable>>

/** Live entries and the drafts of everybody: a statement on this view compares `author_id` with its reader. */
export type EntryOrDraftRow = LiveEntryRow

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

/** That an entry (by its text or its cover) or a project (by its cover) uses a file. */
export type FileUseRow = {
  file_id: string
  entry_id: string | null
  project_id: string | null
  used_as: 'text' | 'cover'
}

/** An invitation and, once accepted, a membership. */
export type CollaboratorRow = {
  id: string
  project_id: string
  email: string
  role: CollaboratorRole
  status: CollaboratorStatus
  /** The token of an invitation that waits for an answer, encrypted. */
  invite_token_encrypted: Nullable<Buffer>
  /** By which the token is found; stays once it is used, so that its owner may use it again. */
  token_hash: Nullable<string>
  expires_at: Date | null
  inviter_id: string | null
  /** Who answered. */
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

/** The tables and views, as kysely sees them. The identity provider keeps its own beside them, in the schema `identity`. */
export type Schema = {
  users: UserRow
  sessions: SessionRow
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
  milestone_tags: MilestoneTagRow
  images: ImageRow
  files: FileRow
  file_uses: FileUseRow
  storage_usage: StorageUsageRow
  collaborators: CollaboratorRow
  invitation_notices: InvitationNoticeRow
  invitations_made: InvitationMadeRow
  notifications: NotificationRow
}

/** A database, or a transaction on it. */
export type Db = Kysely<Schema> | Transaction<Schema>
