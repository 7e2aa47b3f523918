import type { ColumnType, Generated } from 'kysely'
import type { AuditDetails, AuditKind } from '#contract/audit-log.ts'
import type { RegistrationMode } from '#contract/identity.ts'
import type { Created, Nullable, Remembering, Timestamp } from './columns.ts'

/** The administrators' choice of who may register. At most one row. */
export type RegistrationSettingsRow = {
  only_row: Generated<true>
  mode: RegistrationMode
  domains: string[]
  /** Starts at 2. Version 1 means that nobody has chosen. */
  version: Generated<number>
}

/** When the last backup was made. At most one row. */
export type LastBackupRow = { only_row: Generated<true>; made_at: Date }

/** The announcement and terms of the administrators. At most one row. */
export type InstanceTextsRow = {
  only_row: Generated<true>
  announcement: Nullable<string>
  /** Changes with the announcement, so that dismissing one does not hide the next. */
  announcement_id: Nullable<string>
  announcement_version: Generated<number>
  terms: Nullable<string>
  terms_changed_at: Nullable<Date>
  terms_version: Generated<number>
}

/** An invitation to register on this server. */
export type ServerInvitationRow = Remembering & {
  id: string
  email: string
  token_encrypted: Buffer
  token_hash: string
  inviter_id: string | null
  mailed_at: Nullable<Date>
  undeliverable_at: Nullable<Date>
  created_at: Timestamp
  expires_at: Timestamp
}

/** An administrator's action. It identifies people by ids that outlive their accounts. */
export type AuditRow = {
  id: string
  kind: AuditKind
  actor_id: string | null
  person_id: string | null
  email: string | null
  details: ColumnType<AuditDetails, string, never>
  created_at: Created
}

export type AdministrationTables = {
  registration_settings: RegistrationSettingsRow
  last_backup: LastBackupRow
  instance_texts: InstanceTextsRow
  server_invitations: ServerInvitationRow
  audit_log: AuditRow
}
