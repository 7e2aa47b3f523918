import type { Kysely, Transaction } from 'kysely'
import { signInTexts } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import type { HashCost, Semaphore } from '#server/identity/local/hashing.ts'
import { AppError, conflict, invalid } from '#server/platform/api/errors.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { type Attempt, type AttemptLimits, countAttempt } from '#server/platform/limits/limits.ts'
import { networkOf } from '#server/platform/network.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { hashRecoveryCode, RECOVERY_COST, readCode, type SecretCipher, timeStepOf } from './codes.ts'
import type { TwoFactorEmails } from './emails.ts'
import { findTwoFactor, useRecoveryCode, useStep } from './store.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
/**
 * Limits of wrong codes for one account. Three of a million codes are valid at a time, so an account is locked sooner and
 * longer than after wrong passwords. Recovery codes have separate limits, so that its owner can still sign in.
 */
const CODE_LIMITS: { [kind in 'app' | 'recovery']: AttemptLimits } = {
  app: {
    network: { name: 'second factor pair', calls: 5, seconds: 15 * MINUTE },
    account: { name: 'second factor account', calls: 30, seconds: DAY },
    knownSeconds: 30 * DAY,
  },
  recovery: {
    network: { name: 'recovery code pair', calls: 5, seconds: 15 * MINUTE },
    account: { name: 'recovery code account', calls: 60, seconds: 15 * MINUTE },
    knownSeconds: 30 * DAY,
  },
}

/** What two-step sign-in depends on. */
export type TwoFactorDeps = {
  db: Kysely<Schema>
  secrets: Secrets
  publicUrl: string
  clock: () => Date
  semaphore: Semaphore
  hashCost?: HashCost | undefined
  /** Undefined if this server sends no mail. */
  notices: TwoFactorEmails | undefined
}

/** An entered code. */
export type CodeAttempt = { userId: string; code: string; ip: string }

/**
 * Redeems a code once, in the transaction of the action that it authorizes. Throws `invalid`, `conflict`, `too_many_requests` or
 * `unavailable`.
 */
export type Redeem = <T>(attempt: CodeAttempt, work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>

/** Creates the function that redeems codes. It counts an attempt before it compares the code. */
export function createRedeem(deps: TwoFactorDeps, cipher: SecretCipher): Redeem {
  const { db, clock, semaphore, notices, hashCost = RECOVERY_COST } = deps

  /** Returns a function that uses up the code in a transaction; null if the code is wrong. */
  async function verify({ userId, code: typed, ip }: CodeAttempt) {
    const record = await findTwoFactor(db, userId)
    if (!record?.enabledAt) throw isOff()
    const { kind, code } = readCode(typed)
    if (kind === 'recovery') {
      const { recoverySalt: salt } = record
      if (salt === null) return null
      const hash = await semaphore(clientNamed(networkOf(ip)), () => hashRecoveryCode(code, salt, hashCost))
      return async (trx: Transaction<Schema>) => {
        if (!(await useRecoveryCode(trx, userId, hash))) return false
        await notices?.add(trx, userId, { about: 'recovery_code_used', at: clock().toISOString() })
        return true
      }
    }
    const secret = await cipher.decrypt(record.secretEncrypted, userId)
    if (secret === null)
      throw conflict('This server can no longer check codes of your app. Use a recovery code.')
    const step = timeStepOf(secret, code, clock())
    return step === null ? null : (trx: Transaction<Schema>) => useStep(trx, userId, step)
  }

  /** Counts an attempt before its code is compared. Throws `too_many_requests`. */
  async function count({ userId, code, ip }: CodeAttempt): Promise<Attempt> {
    const limits = CODE_LIMITS[readCode(code).kind]
    return countAttempt({ db, now: clock(), limits }, { account: userId, ip }, tooManyAttempts)
  }

  return async (attempt, work) => {
    const counted = await count(attempt)
    try {
      const use = await verify(attempt)
      if (use === null) throw wrongCode()
      const result = await db.transaction().execute(async (trx) => {
        if (!(await use(trx))) throw wrongCode()
        return work(trx)
      })
      await counted.succeeded()
      notices?.wake()
      return result
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'invalid')) await counted.withdrawn()
      throw error
    }
  }
}

/** Returns the 409 for what requires two-step sign-in. */
export const isOff = () => conflict('Two-step sign-in is off')

const tooManyAttempts = (retryAfter: number) =>
  new AppError('too_many_requests', signInTexts.tooManyAttempts, { retryAfter })

/** Returns the 400 for a code that is wrong or was used before. */
export const wrongCode = () =>
  invalid([{ path: 'code', message: 'This code is not right, or was used before. Please try the next one.' }])
