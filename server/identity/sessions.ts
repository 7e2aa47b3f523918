import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { exchangeFields, User } from '#contract/identity.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import { datesOf } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import { photoOf } from '#server/files/links.ts'
import { AppError, invalid, notSignedIn } from '#server/platform/api/errors.ts'
import { readableEmail } from '#server/platform/mail/readable-email.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { DEVICE_DAYS } from './devices/devices.ts'
import type { Claims, Identity } from './identity.ts'
import { oldestSession, openSession, type SessionDeps, SIGNED_IN_DAYS } from './open-session.ts'
import {
  deleteExpired,
  findOpenSessions,
  findSessionUser,
  findUser,
  revokeSession,
  type UserRecord,
} from './store.ts'

/** Opens, checks and ends application sessions for users whom the provider has authenticated. */
export function createSessions({
  db,
  provider,
  tokens,
  clock,
  registrationPolicy,
  onEmailChange,
  onDeletionCancelled,
}: SessionDeps): Omit<
  Identity,
  | 'options'
  | 'passwords'
  | 'emailChanges'
  | 'passkeys'
  | 'twoFactor'
  | 'requireProof'
  | 'proofs'
  | 'mountProvider'
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
    email: readableEmail(email),
    ...photoOf(picture_id, photo_url),
    ...(is_admin && { isAdmin: true as const }),
    ...datesOf(row),
  }
}

function refuseOtherSubject({ firebaseUid }: z.output<typeof exchangeFields>, { subject }: Claims): void {
  if (firebaseUid === undefined || firebaseUid === null || firebaseUid === subject) return
  throw invalid([{ path: 'firebaseUid', message: 'The token speaks for somebody else' }])
}

const awaitsApproval = () =>
  new AppError(
    'account_awaiting',
    'Your account waits for an administrator of this server to approve it. Sign in again once it is approved.',
  )

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
export const identitySweep = ({ db, clock }: Pick<SessionDeps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'removal of expired sessions',
  everyMs: PAUSE_MS,
  run: () => sweepIdentity(db, clock()),
})
