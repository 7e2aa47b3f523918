import type { Account, Session } from '#contract/account.ts'
import { datesOf } from '#server/database/dates-of-people.ts'
import { photoOf } from '#server/files/links.ts'
import { deviceOf } from '#server/identity/devices/device-name.ts'
import type { AccountRecord, SessionRecord } from './store.ts'

/** One's own account. */
export function presentAccount(
  { id, name, email, email_verified, photo_url, is_admin, ...row }: AccountRecord,
  {
    password,
    storage,
    emailChange,
    twoFactor,
  }: Pick<Account, 'password' | 'storage' | 'emailChange'> & {
    twoFactor: { since: Date; recoveryCodes: number } | undefined
  },
): Account {
  return {
    _id: id,
    name,
    email,
    ...photoOf(row.picture_id, photo_url),
    ...(is_admin && { isAdmin: true as const }),
    ...datesOf(row),
    emailVerified: email_verified,
    ...(emailChange && { emailChange }),
    password,
    ...(twoFactor && { twoFactor: { ...twoFactor, since: twoFactor.since.toISOString() } }),
    notifications: { muted: row.muted_notifications, mutedEmails: row.muted_emails },
    storage,
  }
}

/** One of one's own sessions. */
export function presentSession(row: SessionRecord): Session {
  return {
    _id: row.id,
    device: deviceOf(row.user_agent ?? ''),
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    isCurrent: row.is_current,
  }
}
