import type { Generated } from 'kysely'
import type { Created, Day, Nullable, Timestamp } from './columns.ts'

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

export type DraftTables = {
  entry_drafts: EntryDraftRow
}
