import type { ColumnType, Generated } from 'kysely'
import type { EntryState } from '#contract/entries.ts'
import type { Created, Day, Deletable, Nullable, ReadOnly, Remembering, Timestamp } from './columns.ts'

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
    /** When it was first published, set by a trigger unless it is imported. */
    published_at: ColumnType<Date | null, Date | null | undefined, never>
    version: Generated<number>
    created_at: Created
    updated_at: Timestamp
  }

/** Entries that readers see: published, and not in the trash. Statements that show, count or list entries read this view. */
export type LiveEntryRow = ReadOnly<Omit<EntryRow, 'history_bytes' | keyof Deletable | keyof Remembering>>

/** Live entries and the drafts of all authors. A statement on this view must compare `author_id` with its reader. */
export type EntryOrDraftRow = LiveEntryRow

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

/** When a draft publishes itself. */
export type EntryScheduleRow = {
  entry_id: string
  publish_at: Timestamp
  zone: string
}

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

export type EntryTables = {
  milestone_tags: MilestoneTagRow
  entry_schedules: EntryScheduleRow
  bulk_changes: BulkChangeRow
  bulk_change_entries: BulkChangeEntryRow
  entries: EntryRow
  live_entries: LiveEntryRow
  entries_and_drafts: EntryOrDraftRow
  entry_tags: EntryTagRow
  entry_renderings: EntryRenderingRow
}
