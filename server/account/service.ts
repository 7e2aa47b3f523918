import type { z } from 'zod'
import {
  type Account,
  type accountFields,
  type dateFields,
  type emailFields,
  type notificationFields,
  type passwordFields,
  SESSIONS_LISTED,
  type Session,
} from '#contract/account.ts'
import { datesOf } from '#server/database/people.ts'
import type { AppDeps } from '#server/deps.ts'
import { photoOf } from '#server/files/links.ts'
import { deviceOf } from '#server/identity/devices/device-name.ts'
import { linkExpired } from '#server/identity/emailed-links/links.ts'
import { managedElsewhere } from '#server/identity/issuer-only.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, notFound, notSignedIn } from '#server/platform/api/errors.ts'
import { readableEmail } from '#server/platform/mail/readable-email.ts'
import {
  type AccountRecord,
  deleteOtherSessions,
  deleteSession,
  findAccount,
  findAccountOf,
  findSessions,
  type SessionAccount,
  type SessionRecord,
  updateDates,
  updateMuted,
  updateName,
  updateNewsEmails,
} from './store.ts'

/** Returns the caller's own account. */
export async function readAccount(deps: AppDeps, caller: Caller): Promise<Account> {
  return describe(deps, await requireAccount(deps, caller))
}

/** Returns an account for its export, which needs no open session. Throws `not_found`. */
export async function readAccountOf(deps: AppDeps, userId: string): Promise<Account> {
  const account = await findAccountOf(deps.db, userId)
  if (!account) throw notFound('Account')
  return describe(deps, account)
}

/** Changes the caller's name. Later sign-ins do not replace it. */
export async function updateAccount(
  deps: AppDeps,
  caller: Caller,
  { name }: z.output<typeof accountFields>,
): Promise<Account> {
  await requireAccount(deps, caller)
  await updateName(deps.db, { userId: caller.userId, name, now: deps.clock() })
  return describe(deps, await requireAccount(deps, caller))
}

/** Changes which notifications and emails the caller gets. */
export async function updateNotificationPreferences(
  deps: AppDeps,
  caller: Caller,
  preferences: z.output<typeof notificationFields>,
): Promise<Account> {
  await requireAccount(deps, caller)
  await updateMuted(deps.db, caller.userId, preferences)
  await updateNewsEmails(deps.db, caller.userId, preferences)
  return describe(deps, await requireAccount(deps, caller))
}

/** Changes the caller's time zone and date format. */
export async function updateDatePreferences(
  deps: AppDeps,
  caller: Caller,
  preferences: z.output<typeof dateFields>,
): Promise<Account> {
  await requireAccount(deps, caller)
  if (Object.values(preferences).some((sent) => sent !== undefined))
    await updateDates(deps.db, caller.userId, preferences)
  return describe(deps, await requireAccount(deps, caller))
}

/** Replaces the caller's password after verifying the current one, and ends all other sessions. */
export async function changePassword(
  deps: AppDeps,
  caller: Caller,
  fields: z.output<typeof passwordFields>,
): Promise<void> {
  const { subject, provider_session: remaining } = await requireAccount(deps, caller)
  const { passwords } = deps.identity
  if (!passwords)
    throw managedElsewhere(
      deps.identity.options,
      'Passwords are managed by the identity provider of this server',
    )
  await passwords.change(subject, fields, remaining)
}

/** Requests another email after verifying the password. Throws `conflict` if this server cannot confirm it by mail. */
export async function changeEmail(
  deps: AppDeps,
  caller: Caller,
  { email, currentPassword }: z.output<typeof emailFields>,
): Promise<Account> {
  const { subject, provider_session: session, is_admin: isAdmin } = await requireAccount(deps, caller)
  const { passwords, emailChanges } = deps.identity
  if (!passwords || !emailChanges)
    throw managedElsewhere(
      deps.identity.options,
      'Addresses are managed by the identity provider of this server',
    )
  if (!emailChanges.begin)
    throw conflict(
      isAdmin
        ? 'This server sends no email. Change your address on the page Administration.'
        : 'This server sends no email. Ask an administrator to change your address.',
    )
  if (!(await passwords.isSet(subject)))
    throw conflict(
      `You sign in with ${deps.identity.options.issuerName ?? 'Google'}, which vouches for your address`,
    )
  await passwords.verify(subject, currentPassword)
  await emailChanges.begin({ subject, session }, email)
  return describe(deps, await requireAccount(deps, caller))
}

/** Cancels the pending change of the caller's email. */
export async function cancelEmailChange(deps: AppDeps, caller: Caller): Promise<void> {
  const { subject } = await requireAccount(deps, caller)
  await deps.identity.emailChanges?.cancel(subject)
}

/** Redeems a link that confirms the change of the caller's email for the current or the new email. */
export async function confirmEmailChange(
  deps: AppDeps,
  caller: Caller,
  token: string,
): Promise<{ email: string; unconfirmed: ('current' | 'new')[] }> {
  const { subject, provider_session: session } = await requireAccount(deps, caller)
  if (!deps.identity.emailChanges) throw linkExpired()
  const { unconfirmed } = await deps.identity.emailChanges.confirm({ subject, session }, token)
  const { email } = await requireAccount(deps, caller)
  return { email, unconfirmed }
}

/** Cancels the change of an email with a link that was sent to one of the two emails. */
export async function refuseEmailChange(deps: AppDeps, token: string): Promise<void> {
  if (!deps.identity.emailChanges) throw linkExpired()
  await deps.identity.emailChanges.refuse(token)
}

/** Returns the caller's sessions. */
export async function listSessions({ db, clock }: AppDeps, caller: Caller): Promise<Session[]> {
  const rows = await findSessions(db, caller, { now: clock(), limit: SESSIONS_LISTED })
  return rows.map(presentSession)
}

/** Ends one of the caller's sessions, with its tokens and streams. */
export async function endSession({ db }: AppDeps, caller: Caller, sessionId: string): Promise<void> {
  if (!(await deleteSession(db, caller, sessionId))) throw notFound('Session')
}

/** Ends every session of the caller except this one. */
export async function endOtherSessions({ db }: AppDeps, caller: Caller): Promise<void> {
  await deleteOtherSessions(db, caller)
}

/** Returns the account of the caller's session; throws `not_signed_in` if the session has ended. */
export async function requireAccount({ db }: AppDeps, caller: Caller): Promise<SessionAccount> {
  const account = await findAccount(db, caller)
  if (!account) throw notSignedIn()
  return account
}

async function describe({ db, identity, quotas }: AppDeps, account: AccountRecord): Promise<Account> {
  const { passwords } = identity
  const isSet = await passwords?.isSet(account.subject)
  const notHere = identity.options.issuerOnly ? 'off' : 'elsewhere'
  const password = isSet === undefined ? notHere : isSet ? 'set' : 'none'
  const emailChange = (await identity.emailChanges?.findPending(account.subject)) ?? undefined
  const storage = await quotas.readAccount(db, account.id)
  const twoFactor = await identity.twoFactor?.read(account.subject)
  return presentAccount(account, { password, storage, emailChange, twoFactor })
}

/** Presents an account to its owner. */
function presentAccount(
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
    email: readableEmail(email),
    ...photoOf(row.picture_id, photo_url),
    ...(is_admin && { isAdmin: true as const }),
    ...datesOf(row),
    emailVerified: email_verified,
    ...(emailChange && { emailChange: { ...emailChange, email: readableEmail(emailChange.email) } }),
    password,
    ...(twoFactor && { twoFactor: { ...twoFactor, since: twoFactor.since.toISOString() } }),
    notifications: {
      muted: row.muted_notifications,
      mutedEmails: row.muted_emails,
      newsHour: row.news_hour,
      emailsMentions: row.mails_mentions,
    },
    storage,
  }
}

/** Presents a session to its owner. */
function presentSession(row: SessionRecord): Session {
  return {
    _id: row.id,
    device: deviceOf(row.user_agent ?? ''),
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    isCurrent: row.is_current,
  }
}
