import type { AccountState, Person, ServerInvitation } from '#contract/people.ts'
import type { AppDeps } from '#server/deps.ts'
import { readableEmail } from '#server/platform/mail/readable-email.ts'
import type { ServerInvitationRecord } from './invitation-store.ts'
import type { PersonRecord } from './store.ts'

type States = Pick<PersonRecord, 'suspended_at' | 'awaiting_since' | 'leaving_since'>

export function stateOf({ suspended_at, awaiting_since, leaving_since }: States): AccountState {
  if (suspended_at !== null) return 'suspended'
  if (awaiting_since !== null) return 'awaiting'
  return leaving_since === null ? 'active' : 'leaving'
}

/** Presents an account to administrators. */
export function presentPerson(row: PersonRecord, { quotas }: Pick<AppDeps, 'quotas'>): Person {
  return {
    _id: row.id,
    name: row.name,
    email: readableEmail(row.email),
    emailVerified: row.email_verified,
    state: stateOf(row),
    isAdmin: row.is_admin,
    hasTwoFactor: row.has_two_factor,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    storage: { used: row.bytes, quota: row.quota_bytes ?? quotas.accountQuota, usual: quotas.accountQuota },
  }
}

/** Presents an invitation to this server, with its token if this server can decrypt it. */
export function presentServerInvitation(
  { id, email, token_encrypted, created_at, expires_at, undeliverable_at }: ServerInvitationRecord,
  { tokenCipher }: Pick<AppDeps, 'tokenCipher'>,
): ServerInvitation {
  return {
    _id: id,
    email: readableEmail(email),
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
    token: tokenCipher.decrypt(token_encrypted, id),
    ...(undeliverable_at && { undelivered: true as const }),
  }
}
