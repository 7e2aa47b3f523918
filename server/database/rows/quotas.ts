import type { ReadOnly } from './columns.ts'

/** The storage of an account: everything in the projects that it owns. Maintained by triggers. */
export type StorageUsageRow = ReadOnly<{ user_id: string; text_bytes: number; file_bytes: number }>

export type QuotaTables = {
  storage_usage: StorageUsageRow
}
