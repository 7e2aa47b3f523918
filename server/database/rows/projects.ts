import type { ColumnType, Generated } from 'kysely'
import type { Visibility } from '#contract/projects.ts'
import type { Created, Deletable, Nullable, ReadOnly, Remembering, Timestamp } from './columns.ts'

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

export type ProjectTables = {
  projects: ProjectRow
  live_projects: LiveProjectRow
  public_projects: PublicProjectRow
}
