import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import { LEAVING_DAYS } from '#contract/account.ts'
import { characters, isStorable } from '#contract/characters.ts'
import type { DatePreferences } from '#contract/date-formats.ts'
import { type exchangeFields, NAME_MAX, type User } from '#contract/identity.ts'
import { TOKEN_SECONDS } from '#contract/token-lifetime.ts'
import { datesOf } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import { photoOf } from '#server/files/links.ts'
import { AppError, invalid, notSignedIn } from '#server/platform/errors.ts'
import { dayFor } from '#server/platform/mail/dates.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { DEVICE_DAYS } from './devices/devices.ts'
import type {
  Claims,
  DeletionCancelledHook,
  EmailChangeHook,
  Identity,
  Provider,
  RegistrationPolicy,
} from './identity.ts'
import {
  approveUser,
  cancelUserDeletion,
  deleteExpired,
  deleteSessionsBefore,
  findOpenSessions,
  findSessionUser,
  findUser,
  insertSession,
  lockKnown,
  revokeSession,
  type UpsertedUser,
  type UserRecord,
  type UserValues,
  upsertUser,
} from './store.ts'
import type { Tokens } from './tokens.ts'

/** A session outlives its tokens by this much, so that clock skew does not end one early. */
const MARGIN_SECONDS = 5 * 60

/** A session ends this many days after its sign-in, even if it is in use. */
const SIGNED_IN_DAYS = 180

const PHOTO_URL_MAX = 2_000
const DAY_MS = 24 * 60 * 60_000

/** Returns the earliest start of a session whose tokens may still be valid. */
function oldestSession(now: Date): Date {
  return new Date(now.getTime() - (TOKEN_SECONDS + MARGIN_SECONDS) * 1000)
}

type Deps = {
  db: Kysely<Schema>
  provider: Provider
  tokens: Tokens
  clock: () => Date
  /** Undefined if everybody may register. */
  registrationPolicy: RegistrationPolicy | undefined
  onEmailChange: EmailChangeHook | undefined
  onDeletionCancelled: DeletionCancelledHook | undefined
}

/** Opens, checks and ends application sessions for users whom the provider has authenticated. */
export function createSessions({
  db,
  provider,
  tokens,
  clock,
  registrationPolicy,
  onEmailChange,
  onDeletionCancelled,
}: Deps): Omit<
  Identity,
  'options' | 'passwords' | 'emailChanges' | 'passkeys' | 'twoFactor' | 'mountProvider'
> {
  return {
    async authenticate(token) {
      const caller = await tokens.verify(token)
      if ((await findSessionUser(db, caller.sessionId)) !== caller.userId) throw notSignedIn()
      return caller
    },

    async exchange(fields) {
      const claims = await provider.verifyIdToken(fields.idToken)
      refuseOtherSubject(fields, claims)
      const { user, sessionId, afterCommit } = await openSession(
        { db, provider, registrationPolicy, onEmailChange, onDeletionCancelled },
        { claims, keepAccount: fields.keepAccount ?? false, invitation: fields.invitation, now: clock() },
      )
      for (const run of afterCommit) run()
      if (sessionId === undefined) throw awaitsApproval()
      return { token: await tokens.issue({ userId: user.id, sessionId }), user: presentUser(user) }
    },

    async me(caller) {
      const user = await findUser(db, caller.userId)
      if (!user) throw notSignedIn()
      return presentUser(user)
    },

    openAmong: (sessionIds) => findOpenSessions(db, sessionIds),

    async signOut(caller) {
      const providerSession = await revokeSession(db, caller.sessionId, clock())
      if (providerSession !== null) await provider.endSession(providerSession)
    },
  }
}

function presentUser({ id, name, email, photo_url, picture_id, is_admin, ...row }: UserRecord): User {
  return {
    _id: id,
    name,
    email,
    ...photoOf(picture_id, photo_url),
    ...(is_admin && { isAdmin: true as const }),
    ...datesOf(row),
  }
}

function refuseOtherSubject({ firebaseUid }: z.output<typeof exchangeFields>, { subject }: Claims): void {
  if (firebaseUid === undefined || firebaseUid === null || firebaseUid === subject) return
  throw invalid([{ path: 'firebaseUid', message: 'The token speaks for somebody else' }])
}

type SignIn = { claims: Claims; keepAccount: boolean; invitation: string | undefined; now: Date }

/** Opens a session. Returns no session id if the account is stored but awaits approval. */
function openSession(
  {
    db,
    provider,
    registrationPolicy,
    onEmailChange,
    onDeletionCancelled,
  }: Pick<Deps, 'db' | 'provider' | 'registrationPolicy' | 'onEmailChange' | 'onDeletionCancelled'>,
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
      now,
    })
    if (sessionId === null) throw notSignedIn()
    if (before) await recognize(false)
    return ended(sessionId)
  })
}

const suspended = () =>
  new AppError('account_suspended', 'This account is suspended. Ask the operator of this server.')

const awaitsApproval = () =>
  new AppError(
    'account_awaiting',
    'Your account waits for an administrator of this server to approve it. Sign in again once it is approved.',
  )

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
  if (!isStorable(trimmed)) return ''
  return characters(trimmed) <= NAME_MAX ? trimmed : [...trimmed].slice(0, NAME_MAX).join('').trim()
}

/** Returns a provider's picture if pages may show it. Some providers let users set any text. */
function safePhotoUrl(picture: string | null): string | null {
  const url = picture === null ? null : URL.parse(picture)
  return url?.protocol === 'https:' && url.href.length <= PHOTO_URL_MAX ? url.href : null
}

const BATCH = 1_000
const PAUSE_MS = 10 * 60_000

/** Deletes expired sessions, confirmation links and rate limit counters in batches. */
export async function sweepIdentity(db: Kysely<Schema>, now: Date): Promise<void> {
  const bounds = {
    now,
    sessionsBefore: oldestSession(now),
    signedInBefore: new Date(now.getTime() - SIGNED_IN_DAYS * DAY_MS),
    devicesBefore: new Date(now.getTime() - DEVICE_DAYS * DAY_MS),
  }
  await deleteInBatches(db, { name: 'identity sweep', batchSize: BATCH }, (trx) =>
    deleteExpired(trx, bounds, BATCH),
  )
}

/** Schedules the deletion of expired rows. */
export const identitySweep = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'removal of expired sessions',
  everyMs: PAUSE_MS,
  run: () => sweepIdentity(db, clock()),
})
