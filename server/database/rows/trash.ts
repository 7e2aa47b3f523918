import type { Created, Nullable, ReadOnly } from './columns.ts'

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

/** An idempotency key, with the encrypted response of its call. */
export type IdempotencyKeyRow = {
  user_id: string
  call: string
  key: string
  request_hash: Buffer
  answer: Nullable<Buffer>
  created_at: Created
}

export type TrashTables = {
  deletions: DeletionRow
  restorations: RestorationRow
  removed_ids: RemovedIdRow
  project_changes: RememberedRow
  milestone_changes: RememberedRow
  entry_changes: RememberedRow
  idempotency_keys: IdempotencyKeyRow
}
