import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { LEAVING_DAYS } from '#contract/account.ts'
import { NAME_MAX } from '#contract/identity.ts'
import { firstCharacters, isBlank, isStorable } from '#contract/parts/characters.ts'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import { TOKEN_SECONDS } from '#contract/token-lifetime.ts'
import { datesOf } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import { AppError, notSignedIn } from '#server/platform/api/errors.ts'
import { dayFor } from '#server/platform/mail/dates.ts'
import type {
  Claims,
  DeletionCancelledHook,
  EmailChangeHook,
  Provider,
  RegistrationPolicy,
} from './identity.ts'
import {
  approveUser,
  cancelUserDeletion,
  deleteSessionsBefore,
  insertSession,
  lockKnown,
  type UpsertedUser,
  type UserValues,
  upsertUser,
} from './store.ts'
import type { Tokens } from './tokens.ts'

/** A session outlives its tokens by this much, so that clock skew does not end one early. */
const MARGIN_SECONDS = 5 * 60

/** A session ends this many days after its sign-in, even if it is in use. */
export const SIGNED_IN_DAYS = 180

const PHOTO_URL_MAX = 2_000

/** Returns the earliest start of a session whose tokens may still be valid. */
export function oldestSession(now: Date): Date {
  return new Date(now.getTime() - (TOKEN_SECONDS + MARGIN_SECONDS) * 1000)
}

/** What opening and reading a session depend on. */
export type SessionDeps = {
  db: Kysely<Schema>
  provider: Provider
  tokens: Tokens
  clock: () => Date
  /** Undefined if everybody may register. */
  registrationPolicy: RegistrationPolicy | undefined
  onEmailChange: EmailChangeHook | undefined
  onDeletionCancelled: DeletionCancelledHook | undefined
}

type SignIn = { claims: Claims; keepAccount: boolean; invitation: string | undefined; now: Date }

/** Opens a session. Returns no session id if the account is stored but awaits approval. */
export function openSession(
  {
    db,
    provider,
    registrationPolicy,
    onEmailChange,
    onDeletionCancelled,
  }: Pick<SessionDeps, 'db' | 'provider' | 'registrationPolicy' | 'onEmailChange' | 'onDeletionCancelled'>,
  { claims, keepAccount, invitation, now }: SignIn,
) {
  return db.transaction().execute(async (trx) => {
    const afterCommit: ((() => void) | undefined)[] = []
    const before = await lockKnown(trx, claims)
    // The email of a known account may have changed since the ID token was issued.
    const present = before && (await provider.readEmail?.(trx, claims.subject))
    const values = userValues({ ...claims, ...present })
    const registrant = { email: values.email, emailVerified: values.email_verified, invitation }
    const admitted = before
      ? undefined
      : await registrationPolicy?.admit(trx, { ...registrant, userId: values.id })
    const user = await upsertUser(
      trx,
      { ...values, is_admin: admitted?.isAdmin ?? false, awaiting_since: admitted?.isAwaiting ? now : null },
      { before, now },
    )
    const ended = (sessionId: string | undefined) => ({
      user,
      sessionId,
      afterCommit: afterCommit.filter((run) => run !== undefined),
    })
    if (user.suspended_at !== null) throw suspended()
    if (hasNewEmail(user)) afterCommit.push(await onEmailChange?.(trx, ownerOf(user)))
    const recognize = async (isFirst: boolean) => {
      if (claims.session !== null)
        afterCommit.push(await provider.recognizeDevice?.(trx, { session: claims.session, isFirst }))
    }
    // Also records the device of a person who awaits approval and then signs in again in the same browser.
    if (!before) await recognize(true)
    if (user.awaiting_since !== null) {
      if (!before || !(await registrationPolicy?.isInvited(trx, registrant))) return ended(undefined)
      await approveUser(trx, user.id, now)
    }
    if (user.leaving_since !== null) {
      refuseLeaving({ since: user.leaving_since, dates: datesOf(user) }, keepAccount, now)
      await cancelUserDeletion(trx, user.id)
      afterCommit.push(await onDeletionCancelled?.(trx, { userId: user.id, since: user.leaving_since }))
    }
    await deleteSessionsBefore(trx, user.id, oldestSession(now))
    const sessionId = await insertSession(trx, {
      id: uuidv7(),
      userId: user.id,
      providerSession: claims.session,
      provenAt: claims.provenAt,
      now,
    })
    if (sessionId === null) throw notSignedIn()
    if (before) await recognize(false)
    return ended(sessionId)
  })
}

const suspended = () =>
  new AppError('account_suspended', 'This account is suspended. Ask the operator of this server.')

/** Returns when an account is deleted whose deletion was requested at `since`. */
export const deletionOf = (since: Date): Date => new Date(since.getTime() + LEAVING_DAYS * DAY_MS)

/** Throws `account_leaving` unless the user cancels the deletion of their account in time. */
function refuseLeaving(
  { since, dates }: { since: Date; dates: DatePreferences },
  keepAccount: boolean,
  now: Date,
): void {
  const end = deletionOf(since)
  if (now >= end) throw new AppError('account_leaving', 'This account is being deleted.')
  if (!keepAccount)
    throw new AppError('account_leaving', `This account will be deleted on ${dayFor(end, dates)}.`)
}

/** Returns whether the user is new, has a new email, or has just verified it. */
function hasNewEmail({ before, email, email_verified }: UpsertedUser): boolean {
  if (before === null) return true
  return before.email !== email || (email_verified && !before.email_verified)
}

const ownerOf = ({ id, email, email_verified }: UpsertedUser) => ({
  userId: id,
  email,
  emailVerified: email_verified,
})

function userValues({ issuer, subject, email, emailVerified, name, picture }: Claims): UserValues {
  return {
    id: uuidv7(),
    issuer,
    subject,
    name: storableName(name),
    email,
    email_verified: emailVerified,
    photo_url: safePhotoUrl(picture),
  }
}

/** Truncates a provider's name to the stored length. Returns an empty string for no name; screens then show their own text. */
function storableName(name: string | null): string {
  const trimmed = name?.trim() ?? ''
  if (!isStorable(trimmed) || isBlank(trimmed)) return ''
  return firstCharacters(trimmed, NAME_MAX).trim()
}

/** Returns a provider's picture if pages may show it. Some providers let users set any text. */
function safePhotoUrl(picture: string | null): string | null {
  const url = picture === null ? null : URL.parse(picture)
  return url?.protocol === 'https:' && url.href.length <= PHOTO_URL_MAX ? url.href : null
}
