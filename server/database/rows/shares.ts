import type { Generated } from 'kysely'
import type { Created, Day, Nullable, Remembering } from './columns.ts'

/** A link with which people without an account read a project, one of its entries, or those from an entry or a day on. */
export type ShareLinkRow = Remembering & {
  id: string
  project_id: string
  entry_id: Nullable<string>
  from_entry_id: Nullable<string>
  from_day: Nullable<Day>
  name: string
  token_hash: Buffer
  password_hash: Nullable<string>
  expires_at: Nullable<Date>
  /** The last day, in UTC, on which it was used. */
  last_used_on: Nullable<Day>
  /** The account that created it, which may be deleted. */
  created_by: Nullable<string>
  created_at: Created
  /** Whether it belongs to one person of the circle. */
  is_person: Generated<boolean>
}

export type ShareTables = {
  share_links: ShareLinkRow
}
