/** Tables that a later migration dropped. Earlier databases and backups have them. */
export const DROPPED_TABLES = ['identity.rateLimit', 'identity.attempts'] as const

/**
 * The tables that Milepost's migrations create, at any level. A backup contains their rows, and a restore clears them. A table
 * that a later migration renames or drops stays here, for databases from before that migration.
 */
export const TABLES = [
  'users',
  'sessions',
  'access_tokens',
  'projects',
  'milestones',
  'images',
  'files',
  'entries',
  'entry_revisions',
  'entry_drafts',
  'file_uses',
  'deletions',
  'removed_ids',
  'restorations',
  'entry_tags',
  'entry_renderings',
  'milestone_tags',
  'activity',
  'webhooks',
  'webhook_deliveries',
  'collaborators',
  'notifications',
  'invitation_notices',
  'invitations_made',
  'call_limits',
  'idempotency_keys',
  'storage_usage',
  'registration_settings',
  'instance_texts',
  'server_invitations',
  'audit_log',
  'former_emails',
  'profile_pictures',
  'last_backup',
  'identity.user',
  'identity.session',
  'identity.account',
  'identity.verification',
  'identity.jwks',
  'identity.passkeys',
  'identity.confirmations',
  'identity.password_resets',
  'identity.email_change_links',
  'identity.redeemed_round_trips',
  'identity.two_factor',
  'identity.recovery_codes',
  'identity.second_steps',
  'identity.devices',
  ...DROPPED_TABLES,
] as const

/** Unlogged tables. Backups omit them because they are refilled within a minute. */
export const UNLOGGED_TABLES = ['entry_editors'] as const

/** The tables in which migrations are recorded. A restore recreates them by migrating. */
export const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'] as const

export const SCHEMAS = ['identity'] as const

/** Functions outside these schemas, each before those that it uses. */
export const FUNCTIONS = [
  'project_changed',
  'project_visibility',
  'milestone_changed',
  'milestone_completed',
  'milestones_changed',
  'entry_completed',
  'entries_changed',
  'entries_tagged',
  'entry_tags_changed',
  'entry_images_changed',
  'file_uses_changed',
  'files_counted',
  'files_taken_over',
  'history_counted',
  'own_text_counted',
  'projects_counted',
  'profile_picture_changed',
  'author_renamed',
  'author_deleted',
  'activity_kept',
  'promise_deliveries',
  'audit_log_kept',
  'activity_person_deleted',
  'author_history_deleted',
  'position_after',
  'last_entry_at',
  'newest_cover',
  'tell_ended_session',
  'lock_access',
  'taken_by',
  'note_removed',
  'sort_key',
  'searchable',
  'letters_replaced',
  'folded',
] as const

/** The tables that have rows once there is an account. */
export const PEOPLE = ['users', 'identity.user'] as const

/** Quotes a table's name for SQL. */
export const quoted = (table: string) =>
  table
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
