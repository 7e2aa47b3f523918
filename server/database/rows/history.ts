import type { Generated } from 'kysely'
import type { EntryState } from '#contract/entries.ts'
import type { Created, Day, Nullable } from './columns.ts'

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

export type HistoryTables = {
  entry_revisions: EntryRevisionRow
}
