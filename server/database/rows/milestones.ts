import type { ColumnType, Generated } from 'kysely'
import type { Created, Day, Deletable, Nullable, ReadOnly, Remembering, Timestamp } from './columns.ts'

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
    /** When its newest live entry happened, maintained by triggers; null without one. */
    newest_entry_at: ColumnType<Date | null, never, never>
    created_at: Created
    updated_at: Timestamp
  }

/** Milestones that are not in the trash. */
export type LiveMilestoneRow = ReadOnly<
  Omit<MilestoneRow, keyof Deletable | keyof Remembering | 'created_by' | 'revision'>
>

export type MilestoneTables = {
  milestones: MilestoneRow
  live_milestones: LiveMilestoneRow
}
