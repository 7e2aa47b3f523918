import type { ColumnType } from 'kysely'
import type { ActivityDetails, ActivityKind } from '#contract/activity.ts'
import type { Created } from './columns.ts'

/** An event in a project. Rows change only when the account of a person in them is deleted. */
export type ActivityRow = {
  id: string
  project_id: string
  kind: ActivityKind
  actor_id: string | null
  /** The actor's name at that time, or when the account was deleted. */
  actor_name: string
  /** The account of the person concerned. */
  person_id: string | null
  /** The milestone concerned; it may be deleted. */
  milestone_id: string | null
  entry_id: string | null
  /** The title, name or email of the subject at that time. */
  subject: string
  details: ColumnType<ActivityDetails, string, never>
  created_at: Created
}

export type ActivityTables = {
  activity: ActivityRow
}
