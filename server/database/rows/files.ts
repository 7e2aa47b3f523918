import type { ColumnType, Generated } from 'kysely'
import type { Created, Nullable, Remembering } from './columns.ts'

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

export type FileTables = {
  files: FileRow
  file_uses: FileUseRow
}
