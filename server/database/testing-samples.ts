import type { PoolConfig } from 'pg'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { onServer } from './testing-setup.ts'

/** Returns the id of a sample row, made of the number of its migration and its own. */
const id = (migration: number, row: number) =>
  `'01a1f0a5-0000-7000-8${String(migration).padStart(3, '0')}-${String(row).padStart(12, '0')}'`

const AT = `'2026-03-04T05:06:07.089Z'`

/**
 * Rows as a Milepost at each level of the schema writes them: statements that run right after the migration of that name, and
 * are therefore independent of later ones. Each new migration needs an item here, if only an empty list.
 */
const samples: Record<string, string[]> = {
  '0001_first_tables': [
    `insert into users (id, issuer, subject, name, email, email_verified, photo_url, created_at, updated_at) values
       (${id(1, 1)}, 'local', 'ada', 'Ada Ł. "Ω" 🛶', 'Ada@Example.test', true, null, ${AT}, ${AT}),
       (${id(1, 2)}, 'https://issuer.test', 'bo', '', 'bo@example.test', false, 'https://x.test/p', ${AT}, ${AT})`,
    `insert into sessions (id, user_id, created_at, revoked_at) values
       (${id(1, 3)}, ${id(1, 1)}, ${AT}, null), (${id(1, 4)}, ${id(1, 2)}, ${AT}, ${AT})`,
    `insert into projects (id, owner_id, title, description, is_public, version, revision, milestone_count,
         completed_milestone_count, created_at, updated_at) values
       (${id(1, 5)}, ${id(1, 1)}, 'A canoe', e'Strip\\tby\\nstrip \\\\.', true, 3, 17, 2, 1, ${AT}, ${AT})`,
    `insert into milestones (id, project_id, title, description, completed, entry_count, created_at, updated_at) values
       (${id(1, 6)}, ${id(1, 5)}, 'Lumber', 'Cedar', true, 2, ${AT}, ${AT}),
       (${id(1, 7)}, ${id(1, 5)}, 'Glue', 'Epoxy', false, 0, ${AT}, ${AT})`,
    `insert into entries (id, milestone_id, title, content, tags, version, created_at, updated_at) values
       (${id(1, 8)}, ${id(1, 6)}, 'Day 2: Überraschung', 'So **much**\r\n\r\n\\N', '{wood,"a, b",Ж}', 4, ${AT}, ${AT}),
       (${id(1, 9)}, ${id(1, 6)}, 'Day 10', 'x', '{}', 1, ${AT}, ${AT})`,
    `insert into collaborators (id, project_id, email, role, status, invite_token, expires_at, inviter_id, user_id,
         created_at, updated_at) values
       (${id(1, 10)}, ${id(1, 5)}, 'bo@example.test', 'editor', 'accepted', null, null, ${id(1, 1)}, ${id(1, 2)}, ${AT}, ${AT}),
       (${id(1, 11)}, ${id(1, 5)}, 'cy@example.test', 'viewer', 'pending', 'a-token', ${AT}, ${id(1, 1)}, null, ${AT}, ${AT})`,
    `insert into notifications (id, user_id, type, title, message, data, is_read, created_at) values
       (${id(1, 12)}, ${id(1, 2)}, 'collaboration_invite', 'You', 'are invited', '{"inviteToken": "a-token"}', false, ${AT})`,
  ],
  '0002_counts_and_revision': [
    `insert into milestones (id, project_id, title, description, completed, created_at, updated_at) values
       (${id(2, 1)}, ${id(1, 5)}, 'Counted', 'by a trigger', true, ${AT}, ${AT})`,
    `insert into entries (id, milestone_id, title, content, tags, created_at, updated_at) values
       (${id(2, 2)}, ${id(2, 1)}, 'Counted too', 'x', '{wood}', ${AT}, ${AT})`,
  ],
  '0003_identity': [
    `insert into identity."user" (id, name, email, "emailVerified") values
       (${id(3, 1)}, 'Ada', 'ada@example.test', true)`,
    `insert into identity.session (id, "expiresAt", token, "updatedAt", "userId") values
       (${id(3, 2)}, ${AT}, 'a-session', ${AT}, ${id(3, 1)})`,
    `insert into identity.account (id, "accountId", "providerId", "userId", password, "updatedAt") values
       (${id(3, 3)}, 'ada', 'credential', ${id(3, 1)}, '$argon2id$v=19$x', ${AT})`,
    `insert into identity.verification (id, identifier, value, "expiresAt") values (${id(3, 4)}, 'i', 'v', ${AT})`,
    `insert into identity.jwks (id, "publicKey", "privateKey", "createdAt") values (${id(3, 5)}, '{}', '"k"', ${AT})`,
    `insert into identity."rateLimit" (id, key, count, "lastRequest") values
       (${id(3, 6)}, 'sign-in', 3, 1772600767089)`,
    `insert into identity.attempts (key, failures, since, forget_at) values ('hash', 2, ${AT}, ${AT})`,
    `insert into sessions (id, user_id, created_at, provider_session) values
       (${id(3, 7)}, ${id(1, 1)}, ${AT}, ${id(3, 2)})`,
  ],
  '0004_entry_pages': [
    `insert into entries (id, milestone_id, title, content, tags, created_at, updated_at) values
       (${id(4, 1)}, ${id(1, 6)}, 'ÉTÉ 007', 'Tagged by a trigger', '{wood,wood,ÉTÉ}', ${AT}, ${AT})`,
  ],
  '0005_images': [
    `insert into images (id, remove_after) values (${id(5, 1)}, ${AT}), (${id(5, 2)}, 'infinity')`,
    `insert into entries (id, milestone_id, title, content, tags, image_id, image_width, image_height, created_at,
         updated_at) values
       (${id(5, 3)}, ${id(1, 7)}, 'With a picture', 'x', '{}', ${id(5, 1)}, 1600, 1200, ${AT}, ${AT})`,
  ],
  '0006_confirmations': [
    `insert into identity.confirmations (id, user_id, email, token_hash, created_at, expires_at) values
       (${id(6, 1)}, ${id(3, 1)}, 'ada@example.test', 'a-hash', ${AT}, ${AT})`,
  ],
  '0007_notifications': [
    `insert into notifications (id, user_id, type, title, message, data, is_read, created_at) values
       (${id(7, 1)}, ${id(1, 1)}, 'other', 'T', 'M', '{"ü": [1, null]}', true, ${AT})`,
  ],
  '0008_invitations': [
    `insert into collaborators (id, project_id, email, role, status, invite_token, token_hash, expires_at, inviter_id,
         mailed_at, created_at, updated_at) values
       (${id(8, 1)}, ${id(1, 5)}, 'di@example.test', 'admin', 'pending', 'b-token', 'b-hash', ${AT}, ${id(1, 1)}, ${AT}, ${AT}, ${AT})`,
    `insert into invitation_notices (collaborator_id, user_id, token_hash) values (${id(8, 1)}, ${id(1, 2)}, 'b-hash')`,
    `insert into invitations_made (id, inviter_id, made_at) values (${id(8, 2)}, ${id(1, 1)}, ${AT})`,
  ],
  '0009_ended_sessions': [`update sessions set revoked_at = now() where id = ${id(3, 7)}`],
  '0010_call_limits': [`insert into call_limits (key, calls, ends_at) values ('a-hash', 3, ${AT})`],
  '0011_entry_renderings': [
    `insert into entry_renderings
         (entry_id, entry_version, renderer, rendered_as, excerpt, word_count, html, headings) values
       (${id(1, 9)}, 1, 1, 'markdown', 'x', 1, '<div class="prose"><p>x</p></div>', '[]')`,
  ],
  '0012_invitation_tokens': [
    `insert into collaborators (id, project_id, email, role, status, invite_token_encrypted, token_hash, expires_at,
         inviter_id, created_at, updated_at) values
       (${id(12, 1)}, ${id(1, 5)}, 'ed@example.test', 'viewer', 'pending', '\\x0102', 'c-hash', ${AT}, ${id(1, 1)}, ${AT}, ${AT})`,
    `insert into notifications (id, user_id, type, title, message, data, is_read, created_at) values
       (${id(12, 2)}, ${id(1, 2)}, 'collaboration_invite', 'You', 'are invited', '{"collaboratorId": ${id(12, 1).replaceAll("'", '"')}}', false, ${AT})`,
    `insert into identity.redeemed_round_trips (state_hash, forget_at) values ('a-hash', ${AT})`,
  ],
  '0013_storage_usage': [
    `insert into entries (id, milestone_id, title, content, tags, created_at, updated_at) values
       (${id(13, 1)}, ${id(1, 7)}, 'Counted by its bytes: ü', '🛶', '{wood,Ж}', ${AT}, ${AT})`,
    `update entries set image_bytes = 1234 where id = ${id(5, 3)}`,
  ],
  '0014_line_ends': [],
  '0015_changed_projects': [`update projects set title = title where id = ${id(1, 5)}`],
  '0016_one_limiter': [],
  '0017_views': [],
  '0018_writing': [
    `insert into projects (id, owner_id, title, description, visibility, created_at, updated_at) values
       (${id(18, 1)}, ${id(1, 2)}, 'By link', 'Only', 'unlisted', ${AT}, ${AT})`,
    `insert into milestones (id, project_id, title, description, completed, position, starts_on, due_on, created_at,
         updated_at) values
       (${id(18, 2)}, ${id(18, 1)}, 'Before the first', 'x', true, 'Zz', '2026-03-01', '2026-03-31', ${AT}, ${AT})`,
    `insert into entries (id, milestone_id, title, content, tags, happened_at, happened_on, happened_zone, author_id,
         author_name, state, created_at, updated_at) values
       (${id(18, 3)}, ${id(18, 2)}, 'In Auckland', 'x', '{wood}', '2026-03-01T11:30:00Z', '2026-03-02',
         'Pacific/Auckland', ${id(1, 1)}, 'Ada', 'published', ${AT}, ${AT}),
       (${id(18, 4)}, ${id(18, 2)}, 'A draft', 'Not yet', '{wood,secret}', ${AT}, '2026-03-04', 'UTC', ${id(1, 2)},
         'Bo', 'draft', ${AT}, ${AT})`,
    `insert into entries (id, milestone_id, title, content, tags, author_name, deleted_at, deleted_by, deletion_id,
         created_at, updated_at) values
       (${id(18, 5)}, ${id(18, 2)}, 'In the trash', 'x', '{wood}', 'Gone', ${AT}, ${id(1, 1)}, ${id(18, 6)}, ${AT}, ${AT})`,
    `insert into milestones (id, project_id, title, description, completed, deleted_at, deletion_id, created_at,
         updated_at) values
       (${id(18, 7)}, ${id(1, 5)}, 'In the trash', 'x', true, ${AT}, ${id(18, 8)}, ${AT}, ${AT})`,
  ],
  '0019_files': [
    `insert into files (id, project_id, uploader_id, name, kind, type, size, bytes, state, width, height, animated,
         taken_at, blur, widths, attempt, unused_since, created_at) values
       (${id(19, 1)}, ${id(1, 5)}, ${id(1, 1)}, 'boards.jpg', 'image', 'image/jpeg', 7, 9, 'ready', 640, 480, false,
         '2026-07-31T18:05:00', 'data:image/webp;base64,AA==', '{480,640}', 1, null, ${AT}),
       (${id(19, 2)}, ${id(1, 5)}, null, 'notes.pdf', 'other', 'application/octet-stream', 5, 5, 'waiting', null, null,
         false, null, null, '{}', 0, null, ${AT})`,
    `insert into file_uses (file_id, entry_id, used_as) values
       (${id(19, 1)}, ${id(1, 9)}, 'text'), (${id(19, 1)}, ${id(1, 9)}, 'cover'), (${id(19, 2)}, ${id(1, 9)}, 'text')`,
    `update entries set cover_file_id = ${id(19, 1)} where id = ${id(1, 9)}`,
  ],
  '0020_idempotency_keys': [
    `insert into idempotency_keys (user_id, call, key, request_hash, answer, created_at) values
       (${id(1, 1)}, 'createEntry', 'a-key', '\\x0102', '\\x0304', ${AT})`,
  ],
  '0021_history': [
    `insert into entry_revisions (id, entry_id, first_version, version, title, content, tags, happened_at, happened_on, happened_zone,
         cover_file_id, state, word_count, author_ids, author_names, name, cause, superseded, kept, bytes, begun_at,
         created_at) values
       (${id(21, 1)}, ${id(1, 9)}, 1, 1, 'Day 10', 'x', '{}', ${AT}, '2026-03-04', 'UTC', ${id(19, 1)}, 'published', null,
         '{}', '{}', null, 'save', false, 'weekly', 7, ${AT}, ${AT}),
       (${id(21, 2)}, ${id(1, 9)}, 2, 5, 'Day 10', 'Two wrote this', '{wood,Ж}', ${AT}, '2026-03-05', 'Pacific/Auckland',
         null, 'published', 3, array[${id(1, 1)}, ${id(21, 9)}]::uuid[], '{Ada,"Gone, with an account"}', 'As sent',
         'merge', true, 'daily', 26, ${AT}, ${AT}),
       (${id(21, 3)}, ${id(18, 4)}, 1, 1, 'A draft', 'Not yet', '{secret}', ${AT}, '2026-03-04', 'UTC', null, 'draft', 2,
         array[${id(1, 2)}]::uuid[], '{Bo}', null, 'restore', false, 'all', 20, ${AT}, ${AT})`,
    `update entries set history_bytes = 7 where id = ${id(1, 9)}`,
    `insert into entry_drafts (id, writer_id, entry_id, milestone_id, title, content, tags, happened_at, happened_on,
         happened_zone, cover_file_id, base_version, version, created_at, updated_at) values
       (${id(21, 4)}, ${id(1, 1)}, ${id(1, 9)}, ${id(1, 6)}, 'Day 10', 'Half a sent', '{wood}', ${AT}, '2026-03-05',
         'Pacific/Auckland', ${id(19, 1)}, 1, 7, ${AT}, ${AT}),
       (${id(21, 5)}, ${id(1, 2)}, null, null, '', 'Of nothing yet', '{}', null, null, null, null, null, 1, ${AT}, ${AT})`,
    `insert into file_uses (file_id, revision_id, draft_id, used_as) values
       (${id(19, 1)}, ${id(21, 1)}, null, 'cover'), (${id(19, 1)}, ${id(21, 2)}, null, 'text'),
       (${id(19, 2)}, null, ${id(21, 4)}, 'text'), (${id(19, 1)}, null, ${id(21, 4)}, 'cover')`,
  ],
  '0022_deletions': [
    `insert into projects (id, owner_id, title, description, visibility, deleted_at, deleted_by, deletion_id, created_at,
         updated_at) values
       (${id(22, 1)}, ${id(1, 1)}, 'In the trash', 'x', 'public', ${AT}, ${id(1, 1)}, ${id(22, 2)}, ${AT}, ${AT})`,
    `insert into deletions (id, project_id, deleted_at, deleted_by, milestones, entries, purged_at) values
       (${id(22, 2)}, ${id(22, 1)}, ${AT}, ${id(1, 1)}, 0, 0, ${AT})`,
  ],
  '0023_activity': [
    `insert into activity (id, project_id, kind, actor_id, actor_name, person_id, milestone_id, entry_id, subject,
         details, created_at) values
       (${id(23, 1)}, ${id(1, 5)}, 'entry_written', ${id(1, 1)}, 'Ada', null, ${id(1, 6)}, ${id(1, 9)}, 'Day 10', '{}', ${AT}),
       (${id(23, 2)}, ${id(1, 5)}, 'entry_moved', null, 'Gone', null, null, ${id(23, 3)}, 'Ü', '{"movedAway": true}', ${AT}),
       (${id(23, 4)}, ${id(1, 5)}, 'role_changed', ${id(1, 1)}, 'Ada', ${id(1, 2)}, null, null, 'Bo', '{"role": "editor"}', ${AT})`,
  ],
  '0024_presence': [],
  '0025_account_settings': [
    `update users set name = 'Chosen here', named_at = ${AT} where id = ${id(1, 2)}`,
    `update identity.session set "lastUsedAt" = ${AT} where id = ${id(3, 2)}`,
  ],
  '0026_last_entries': [],
  '0027_password_resets': [
    `insert into identity.password_resets (id, email, token_hash, created_at, sent_at, expires_at) values
       (${id(27, 1)}, 'ada@example.test', 'a-hash', ${AT}, null, ${AT})`,
  ],
  '0028_account_deletion': [
    `update users set leaving_since = ${AT} where id = ${id(1, 2)}`,
    `insert into activity (id, project_id, kind, actor_id, actor_name, person_id, subject, details, created_at) values
       (${id(28, 1)}, ${id(1, 5)}, 'project_handed_over', null, 'Gone', ${id(1, 1)}, 'Ada', '{}', ${AT})`,
  ],
  '0029_administration': [
    `update users set is_admin = true where id = ${id(1, 1)}`,
    `update users set suspended_at = ${AT}, awaiting_since = ${AT} where id = ${id(1, 2)}`,
    `insert into registration_settings (mode, domains) values ('approval', '{example.test}')`,
    `insert into server_invitations (id, email, token_encrypted, token_hash, inviter_id, created_at, expires_at) values
       (${id(29, 1)}, 'fay@example.test', '\\x0102', 'd-hash', ${id(1, 1)}, ${AT}, ${AT})`,
    `insert into audit_log (id, kind, actor_id, person_id, email, details, created_at) values
       (${id(29, 2)}, 'person_invited', ${id(1, 1)}, null, 'fay@example.test', '{}', ${AT}),
       (${id(29, 3)}, 'administrator_made', null, ${id(1, 1)}, null, '{"by": "command"}', ${AT})`,
  ],
  '0030_instance_texts': [
    `insert into instance_texts (announcement, announcement_id, terms, terms_changed_at) values
       ('Away on Sunday', ${id(30, 1)}, '# Terms', ${AT})`,
    `insert into audit_log (id, kind, actor_id, person_id, email, details, created_at) values
       (${id(30, 2)}, 'terms_changed', ${id(1, 1)}, null, null, '{}', ${AT})`,
  ],
  '0031_email_changes': [
    `insert into identity.email_change_links
         (id, user_id, side, email, new_email, token_hash, created_at, sent_at, confirmed_at, expires_at) values
       (${id(31, 1)}, ${id(3, 1)}, 'new', 'new@example.test', 'new@example.test', 'e-hash', ${AT}, ${AT}, null, ${AT})`,
    `insert into former_emails (id, user_id, email, changed_at) values
       (${id(31, 2)}, ${id(1, 1)}, 'former@example.test', ${AT})`,
    `insert into audit_log (id, kind, actor_id, person_id, email, details, created_at) values
       (${id(31, 3)}, 'email_changed', ${id(1, 1)}, ${id(1, 2)}, null, '{}', ${AT})`,
  ],
  '0032_notification_preferences': [
    `update users set muted_notifications = '{other}', muted_emails = '{collaboration_invite}' where id = ${id(1, 2)}`,
  ],
  '0033_access_tokens': [
    `insert into access_tokens (id, user_id, name, token_hash, scopes, project_ids, created_at, expires_at, last_used_at) values
       (${id(33, 1)}, ${id(1, 1)}, 'Nightly', '\\x0a', '{read,write}', array[${id(1, 5)}]::uuid[], ${AT}, ${AT}, null),
       (${id(33, 2)}, ${id(1, 2)}, 'Everything', '\\x0b', '{read,write,publish,manage}', null, ${AT}, null, ${AT})`,
  ],
  '0034_webhooks': [
    `insert into webhooks (id, project_id, url, secret_encrypted, failing_since, disabled_at, created_at) values
       (${id(34, 1)}, ${id(1, 5)}, 'https://example.test/hook', '\\x0102', ${AT}, null, ${AT})`,
    `insert into webhook_deliveries (webhook_id, activity_id, attempts, next_at, tried_at, delivered_at, outcome, created_at)
       select ${id(34, 1)}, id, 1, ${AT}, ${AT}, null, '500', ${AT} from activity where id = ${id(23, 1)}`,
  ],
  '0035_profile_pictures': [
    `insert into profile_pictures (user_id, id, bytes) values (${id(1, 1)}, ${id(35, 1)}, '\\x0102')`,
  ],
  '0036_quotas_of_accounts': [
    `update users set quota_bytes = 1000000 where id = ${id(1, 2)}`,
    `insert into audit_log (id, kind, actor_id, person_id, email, details, created_at) values
       (${id(36, 1)}, 'quota_changed', ${id(1, 1)}, ${id(1, 2)}, null, '{"quota": 1000000}', ${AT})`,
  ],
  '0037_versions_of_server_settings': [
    `update registration_settings set version = 3`,
    `update instance_texts set announcement_version = 2, terms_version = 4`,
  ],
  '0038_strong_sign_in': [
    `insert into identity.two_factor (user_id, secret_encrypted, begun_at, enabled_at, last_step, recovery_salt) values
       (${id(3, 1)}, 'sealed', ${AT}, ${AT}, 7, '\\x01')`,
    `insert into identity.recovery_codes (user_id, hash) values (${id(3, 1)}, '\\x02')`,
    `insert into identity.second_steps (token_hash, user_id, expires_at) values ('s-hash', ${id(3, 1)}, ${AT})`,
    `insert into identity.devices (user_id, hash, seen_at) values (${id(3, 1)}, 'd-hash', ${AT})`,
    `update identity.session set device = 'd-hash' where id = ${id(3, 2)}`,
    `insert into audit_log (id, kind, actor_id, person_id, email, details, created_at) values
       (${id(38, 1)}, 'two_factor_turned_off', ${id(1, 1)}, ${id(1, 2)}, null, '{}', ${AT})`,
  ],
  '0039_passkeys': [
    `insert into identity.passkeys
         (id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at, last_used_at) values
       (${id(39, 1)}, ${id(3, 1)}, 'Laptop', '\\x0102', '\\x0304', 5, '{internal,hybrid}', 'milepost.example', ${AT}, null)`,
  ],
  '0040_webhook_secrets': [
    `update webhooks set former_secret_encrypted = '\\x03', former_secret_until = ${AT} where id = ${id(34, 1)}`,
    `insert into webhook_deliveries (webhook_id, attempts, next_at, tried_at, delivered_at, outcome, created_at) values
       (${id(34, 1)}, 1, null, ${AT}, ${AT}, '204', ${AT})`,
  ],
  '0041_dates_of_people': [
    `update users set time_zone = 'Asia/Tokyo', date_format = 'day-first' where id = ${id(1, 2)}`,
  ],
  '0044_default_covers': [
    `update projects set no_cover = true where id = ${id(22, 1)}`,
    `update entries set no_cover = true, first_picture_id = ${id(19, 1)} where id = ${id(18, 4)}`,
    `update entry_revisions set no_cover = true where id = ${id(21, 3)}`,
    `update entry_drafts set cover_choice = 'none' where id = ${id(21, 5)}`,
  ],
  '0045_folded_searches': [],
  '0048_undelivered_invitations': [
    `update collaborators set undeliverable_at = ${AT} where id = ${id(1, 11)}`,
    `update server_invitations set undeliverable_at = ${AT}`,
  ],
  '0052_lock_access': [],
  '0053_changes': [
    `update projects set changes = array[${id(53, 1)}, ${id(53, 2)}]::uuid[], created_by = ${id(1, 1)} where id = ${id(1, 5)}`,
    `insert into removed_ids (id, removed_at) values (${id(53, 3)}, ${AT})`,
    `insert into restorations (id, project_id, milestone_id, restored_by, restored_at) values
       (${id(53, 4)}, ${id(1, 5)}, ${id(1, 6)}, ${id(1, 1)}, ${AT})`,
  ],
  '0056_last_backup': [`insert into last_backup (made_at) values (${AT})`],
  '0060_images_as_files': [],
  '0062_search': [],
  '0063_moved_milestones': [
    `insert into activity (id, project_id, kind, actor_id, actor_name, person_id, milestone_id, entry_id, subject, details, created_at)
     values (${id(63, 1)}, ${id(1, 5)}, 'milestone_moved', ${id(1, 1)}, 'Ü', null, ${id(1, 6)}, null, 'Moved', '{"movedAway": true}', ${AT})`,
  ],
  '0064_imports': [
    `insert into imports (id, user_id, name, fingerprint, size, received, parts, source, state, plan, created_at, updated_at) values
       (${id(64, 1)}, ${id(1, 1)}, 'Notes é.zip', '1', 9007199254, 8000000, 1, 'markdown', 'planned', '{"a": "\\\\"}', ${AT}, ${AT})`,
    `insert into import_items (import_id, ref, source_id, kind, target_id) values
       (${id(64, 1)}, ${id(64, 2)}, 'notes/a.md', 'entry', ${id(1, 8)})`,
  ],
  '0065_uses_by_drafts': [],
  '0074_share_links': [
    `insert into share_links (id, project_id, entry_id, name, token_hash, password_hash, expires_at, last_used_on, created_by, created_at)
     values (${id(74, 1)}, ${id(1, 5)}, ${id(1, 8)}, 'Grandma é', '\\x00ff', '$argon2id$', ${AT}, '2026-03-04', ${id(1, 1)}, ${AT}),
       (${id(74, 2)}, ${id(1, 5)}, null, 'Everything', '\\x01ff', null, null, null, null, ${AT})`,
    `insert into activity (id, project_id, kind, actor_id, actor_name, person_id, milestone_id, entry_id, subject, details, created_at)
     values (${id(74, 3)}, ${id(1, 5)}, 'link_created', ${id(1, 1)}, 'Ü', null, null, null, 'Grandma é', '{}', ${AT})`,
  ],
  '0075_entry_schedules': [
    `insert into entry_schedules (entry_id, publish_at, zone) values (${id(18, 4)}, ${AT}, 'Europe/Berlin')`,
  ],
  '0089_anniversaries': [
    `insert into forgotten_anniversaries (user_id, project_id) values (${id(1, 1)}, ${id(1, 5)})`,
  ],
  '0090_watching': [
    `insert into project_watches (user_id, project_id, level, seen_at, new_since)
     values (${id(1, 1)}, ${id(1, 5)}, 'mentions', ${AT}, null)`,
    `insert into entry_mentions (entry_id, user_id) values (${id(1, 8)}, ${id(1, 2)})`,
    `insert into milestone_reminders (milestone_id, due_on) values (${id(1, 6)}, '2026-03-04')`,
    `insert into notifications (id, user_id, type, title, message, data, is_read, created_at, kind, subject_id, count, opened_at)
     values (${id(90, 1)}, ${id(1, 2)}, 'other', 'New entries', 'Ü published “é”', '{"projectTitle": "é"}', false, ${AT}, 'entry',
       ${id(1, 5)}, 3, ${AT})`,
  ],
  '0091_project_slugs': [
    `insert into project_slugs (slug, project_id, is_current, created_at) values
       ('cedar-canoe', ${id(1, 5)}, true, ${AT}), ('canoe-1', ${id(1, 5)}, false, ${AT})`,
  ],
  '0092_news_emails': [
    `update users set news_hour = null, mails_mentions = true where id = ${id(1, 2)}`,
    `insert into news_emails (id, user_id, kind, created_at, sent_at) values (${id(92, 1)}, ${id(1, 2)}, 'mention', ${AT}, ${AT})`,
    `update notifications set email_id = ${id(92, 1)}, mail = null where id = ${id(90, 1)}`,
  ],
  '0093_renamed_tags': [
    `insert into activity (id, project_id, kind, actor_id, actor_name, person_id, milestone_id, entry_id, subject, details, created_at)
     values (${id(93, 1)}, ${id(1, 5)}, 'tag_renamed', ${id(1, 1)}, 'Ü', null, null, null, 'wood', '{"formerName": "é"}', ${AT})`,
  ],
  '0094_lock_draft': [],
  '0095_followers': [
    `insert into reader_settings (project_id, emails) values (${id(1, 5)}, true)`,
    `insert into reader_news (id, project_id, revision, entry_id, milestone_id, created_at) values
       (${id(95, 1)}, ${id(1, 5)}, 3, ${id(1, 8)}, null, ${AT}), (${id(95, 2)}, ${id(1, 5)}, 4, null, ${id(1, 6)}, ${AT})`,
    `insert into followers (id, project_id, email, created_at, confirmed_at, told_through, emailed_at) values
       (${id(95, 3)}, ${id(1, 5)}, 'reader@example.org', ${AT}, ${AT}, 3, ${AT}),
       (${id(95, 4)}, ${id(1, 5)}, 'é@example.org', ${AT}, null, 0, null)`,
    `insert into follower_emails (id, follower_id, after, through, created_at, sent_at) values
       (${id(95, 5)}, ${id(95, 3)}, 0, 3, ${AT}, ${AT}), (${id(95, 6)}, ${id(95, 3)}, 3, 4, ${AT}, null)`,
  ],
  '0096_circle': [
    `insert into share_links (id, project_id, entry_id, name, token_hash, password_hash, expires_at, last_used_on, created_by, created_at,
       is_person) values (${id(96, 1)}, ${id(1, 5)}, null, 'Grandpa é', '\\x96ff', null, null, null, null, ${AT}, true)`,
    `insert into followers (id, project_id, email, created_at, confirmed_at, told_through, emailed_at, link_id) values
       (${id(96, 2)}, ${id(1, 5)}, 'reader@example.org', ${AT}, ${AT}, 3, null, ${id(96, 1)})`,
  ],
  '0100_bulk_changes': [
    `insert into bulk_changes (id, project_id, made_by, kind, details, made_at, undone_entries)
     values (${id(100, 1)}, ${id(1, 5)}, ${id(1, 1)}, 'tag_renamed', '{"tag": "é", "name": "wood", "isMerged": true}', ${AT}, null)`,
    `insert into bulk_change_entries (bulk_change_id, entry_id, former_tags)
     values (${id(100, 1)}, ${id(1, 8)}, '{é,wood}')`,
  ],
  '0103_reactions': [
    `update reader_settings set reactions = true where project_id = ${id(1, 5)}`,
    `insert into reaction_salts (year, salt) values (2026, '\\x0103ff')`,
    `insert into entry_reactions (entry_id, kind, reader, year) values
       (${id(1, 8)}, 'love', '\\x000102030405060708090a0b0c0d0eff', 2026)`,
    `insert into entry_reaction_totals (entry_id, kind, count) values (${id(1, 8)}, 'applause', 3)`,
  ],
  '0104_refused_followers': [`update followers set refusals = 2 where id = ${id(95, 3)}`],
  '0109_reader_downloads': [`update reader_settings set downloads = true where project_id = ${id(1, 5)}`],
  '0110_proofs': [
    `update identity.session set "provenAt" = ${AT} where id = ${id(3, 2)}`,
    `update sessions set proven_at = ${AT} where id = ${id(3, 7)}`,
  ],
  '0112_profiles': [
    `insert into profile_names (name, user_id, created_at) values ('üé', ${id(1, 1)}, ${AT}), ('ada-é', ${id(1, 1)}, ${AT})`,
    `insert into profiles (user_id, name, about, is_on) values (${id(1, 1)}, 'ada-é', 'I build a canoe.', true)`,
    `insert into retired_profile_names (digest) values ('\\x0112ff')`,
  ],
  '0113_import_networks': [
    `insert into imports (id, user_id, name, fingerprint, size, state, network, created_at, updated_at) values
       (${id(113, 1)}, ${id(1, 1)}, 'Log.zip', '2', 10, 'uploading', 'digest', ${AT}, ${AT})`,
  ],
  '0114_picture_tints': [`update files set tint = 2 where id = ${id(19, 1)}`],
  '0115_search_by_date': [],
  '0116_usage_at_commit': [],
  '0117_search_later': [],
  '0118_newest_entries': [],
}

/** The image of a sample entry. */
export const SAMPLE_IMAGE = id(5, 1).slice(1, -1)

/** The key of the only ready sample file, without its variant. */
export const SAMPLE_FILE = `uploads/${id(19, 1).slice(-3, -1)}/${id(19, 1).slice(1, -1)}-1-`

/** All levels of the schema, in order. */
export const levels = migrations

/** Migrates a database from the previous level to this one, and inserts the samples of this level. */
export async function migrateOneLevel(config: PoolConfig, level: string): Promise<void> {
  const statements = samples[level]
  if (!statements) throw new Error(`write the samples of ${level} in server/database/testing-samples.ts`)
  await migrate(config, level)
  await onServer(config, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

/** Fills an empty database by migrating it step by step to a level, or to the newest. */
export async function migrateWithSamples(config: PoolConfig, level = levels.at(-1)): Promise<void> {
  for (const name of levels) {
    await migrateOneLevel(config, name)
    if (name === level) return
  }
}
