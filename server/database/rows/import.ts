import type { ColumnType, Generated } from 'kysely'
import type { ImportChoices, ImportPlan, ImportReport, ImportSource, ImportState } from '#contract/imports.ts'
import type { Created, Nullable, Timestamp } from './columns.ts'

/** An archive that a person brings. */
export type ImportTableRow = {
  id: string
  /** Null once the account was deleted: then the archive is removed. */
  user_id: string | null
  name: string
  fingerprint: string
  size: number
  received: Generated<number>
  /** How many parts are in the file store. */
  parts: Generated<number>
  source: Nullable<ImportSource>
  state: ImportState
  problem: Nullable<string>
  plan: ColumnType<ImportPlan | null, string | null | undefined, string | null>
  choices: ColumnType<ImportChoices | null, string | null | undefined, string | null>
  report: ColumnType<ImportReport | null, string | null | undefined, string | null>
  done: Generated<number>
  /** Until then, a process works on it. */
  lease_until: Nullable<Date>
  undo_until: Nullable<Date>
  /** The digest of the network from which it was begun, until its archive is removed. */
  network: Nullable<string>
  created_at: Created
  updated_at: Timestamp
}

/** What an import has created. */
export type ImportItemRow = {
  import_id: string
  ref: string
  source_id: string
  kind: 'project' | 'milestone' | 'file' | 'entry'
  target_id: string
}

export type ImportTables = {
  imports: ImportTableRow
  import_items: ImportItemRow
}
