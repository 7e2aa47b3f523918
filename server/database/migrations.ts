import type { Kysely } from 'kysely'
import type { MigrationDeps } from './migration-deps.ts'
import * as firstTables from './migrations/0001_first_tables.ts'
import * as countsAndRevision from './migrations/0002_counts_and_revision.ts'
import * as identity from './migrations/0003_identity.ts'
import * as entryPages from './migrations/0004_entry_pages.ts'
import * as images from './migrations/0005_images.ts'
import * as confirmations from './migrations/0006_confirmations.ts'
import * as notifications from './migrations/0007_notifications.ts'
import * as invitations from './migrations/0008_invitations.ts'
import * as endedSessions from './migrations/0009_ended_sessions.ts'
import * as callLimits from './migrations/0010_call_limits.ts'
import * as entryRenderings from './migrations/0011_entry_renderings.ts'
import * as invitationTokens from './migrations/0012_invitation_tokens.ts'
import * as storageUsage from './migrations/0013_storage_usage.ts'
import * as lineEnds from './migrations/0014_line_ends.ts'
import * as changedProjects from './migrations/0015_changed_projects.ts'
import * as oneLimiter from './migrations/0016_one_limiter.ts'
import * as views from './migrations/0017_views.ts'
import * as writing from './migrations/0018_writing.ts'
import * as files from './migrations/0019_files.ts'
import * as idempotencyKeys from './migrations/0020_idempotency_keys.ts'
import * as history from './migrations/0021_history.ts'
import * as deletions from './migrations/0022_deletions.ts'
import * as activity from './migrations/0023_activity.ts'
import * as presence from './migrations/0024_presence.ts'
import * as accountSettings from './migrations/0025_account_settings.ts'
import * as lastEntries from './migrations/0026_last_entries.ts'
import * as passwordResets from './migrations/0027_password_resets.ts'
import * as accountDeletion from './migrations/0028_account_deletion.ts'
import * as administration from './migrations/0029_administration.ts'
import * as instanceTexts from './migrations/0030_instance_texts.ts'
import * as emailChanges from './migrations/0031_email_changes.ts'
import * as notificationPreferences from './migrations/0032_notification_preferences.ts'
import * as accessTokens from './migrations/0033_access_tokens.ts'
import * as webhooks from './migrations/0034_webhooks.ts'
import * as profilePictures from './migrations/0035_profile_pictures.ts'
import * as quotasOfAccounts from './migrations/0036_quotas_of_accounts.ts'
import * as versionsOfServerSettings from './migrations/0037_versions_of_server_settings.ts'
import * as strongSignIn from './migrations/0038_strong_sign_in.ts'
import * as passkeys from './migrations/0039_passkeys.ts'
import * as webhookSecrets from './migrations/0040_webhook_secrets.ts'
import * as datesOfPeople from './migrations/0041_dates_of_people.ts'
import * as defaultCovers from './migrations/0044_default_covers.ts'
import * as foldedSearches from './migrations/0045_folded_searches.ts'
import * as undeliveredInvitations from './migrations/0048_undelivered_invitations.ts'
import * as lockAccess from './migrations/0052_lock_access.ts'
import * as changes from './migrations/0053_changes.ts'
import * as lastBackup from './migrations/0056_last_backup.ts'
import * as imagesAsFiles from './migrations/0060_images_as_files.ts'
import * as search from './migrations/0062_search.ts'
import * as movedMilestones from './migrations/0063_moved_milestones.ts'
import * as imports from './migrations/0064_imports.ts'
import * as usesByDrafts from './migrations/0065_uses_by_drafts.ts'
import * as shareLinks from './migrations/0074_share_links.ts'
import * as entrySchedules from './migrations/0075_entry_schedules.ts'
import * as anniversaries from './migrations/0089_anniversaries.ts'
import * as watching from './migrations/0090_watching.ts'
import * as projectSlugs from './migrations/0091_project_slugs.ts'
import * as newsEmails from './migrations/0092_news_emails.ts'
import * as renamedTags from './migrations/0093_renamed_tags.ts'
import * as lockDraft from './migrations/0094_lock_draft.ts'
import * as followers from './migrations/0095_followers.ts'
import * as circle from './migrations/0096_circle.ts'
import * as bulkChanges from './migrations/0100_bulk_changes.ts'
import * as reactions from './migrations/0103_reactions.ts'
import * as refusedFollowers from './migrations/0104_refused_followers.ts'
import * as readerDownloads from './migrations/0109_reader_downloads.ts'
import * as proofs from './migrations/0110_proofs.ts'
import * as profiles from './migrations/0112_profiles.ts'
import * as importNetworks from './migrations/0113_import_networks.ts'
import * as pictureTints from './migrations/0114_picture_tints.ts'
import * as searchByDate from './migrations/0115_search_by_date.ts'
import * as usageAtCommit from './migrations/0116_usage_at_commit.ts'
import * as searchLater from './migrations/0117_search_later.ts'

type Migration = { up: (db: Kysely<unknown>, deps: MigrationDeps) => Promise<void> }

/**
 * All migrations, ordered by name. A released migration is never edited. A new one needs rows in `testing-samples.ts`, and the
 * names of what it creates in `server/backup/tables.ts`.
 */
export const migrations: Record<string, Migration> = {
  '0001_first_tables': firstTables,
  '0002_counts_and_revision': countsAndRevision,
  '0003_identity': identity,
  '0004_entry_pages': entryPages,
  '0005_images': images,
  '0006_confirmations': confirmations,
  '0007_notifications': notifications,
  '0008_invitations': invitations,
  '0009_ended_sessions': endedSessions,
  '0010_call_limits': callLimits,
  '0011_entry_renderings': entryRenderings,
  '0012_invitation_tokens': invitationTokens,
  '0013_storage_usage': storageUsage,
  '0014_line_ends': lineEnds,
  '0015_changed_projects': changedProjects,
  '0016_one_limiter': oneLimiter,
  '0017_views': views,
  '0018_writing': writing,
  '0019_files': files,
  '0020_idempotency_keys': idempotencyKeys,
  '0021_history': history,
  '0022_deletions': deletions,
  '0023_activity': activity,
  '0024_presence': presence,
  '0025_account_settings': accountSettings,
  '0026_last_entries': lastEntries,
  '0027_password_resets': passwordResets,
  '0028_account_deletion': accountDeletion,
  '0029_administration': administration,
  '0030_instance_texts': instanceTexts,
  '0031_email_changes': emailChanges,
  '0032_notification_preferences': notificationPreferences,
  '0033_access_tokens': accessTokens,
  '0034_webhooks': webhooks,
  '0035_profile_pictures': profilePictures,
  '0036_quotas_of_accounts': quotasOfAccounts,
  '0037_versions_of_server_settings': versionsOfServerSettings,
  '0038_strong_sign_in': strongSignIn,
  '0039_passkeys': passkeys,
  '0040_webhook_secrets': webhookSecrets,
  '0041_dates_of_people': datesOfPeople,
  '0044_default_covers': defaultCovers,
  '0045_folded_searches': foldedSearches,
  '0048_undelivered_invitations': undeliveredInvitations,
  '0052_lock_access': lockAccess,
  '0053_changes': changes,
  '0056_last_backup': lastBackup,
  '0060_images_as_files': imagesAsFiles,
  '0062_search': search,
  '0063_moved_milestones': movedMilestones,
  '0064_imports': imports,
  '0065_uses_by_drafts': usesByDrafts,
  '0074_share_links': shareLinks,
  '0075_entry_schedules': entrySchedules,
  '0089_anniversaries': anniversaries,
  '0090_watching': watching,
  '0091_project_slugs': projectSlugs,
  '0092_news_emails': newsEmails,
  '0093_renamed_tags': renamedTags,
  '0094_lock_draft': lockDraft,
  '0095_followers': followers,
  '0096_circle': circle,
  '0100_bulk_changes': bulkChanges,
  '0103_reactions': reactions,
  '0104_refused_followers': refusedFollowers,
  '0109_reader_downloads': readerDownloads,
  '0110_proofs': proofs,
  '0112_profiles': profiles,
  '0113_import_networks': importNetworks,
  '0114_picture_tints': pictureTints,
  '0115_search_by_date': searchByDate,
  '0116_usage_at_commit': usageAtCommit,
  '0117_search_later': searchLater,
}
