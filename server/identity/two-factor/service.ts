import { randomBytes } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import type { Kysely, Transaction } from 'kysely'
import { signInTexts } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import type { TwoFactor } from '#server/identity/identity.ts'
import type { HashCost, Semaphore } from '#server/identity/local/hashing.ts'
import type { Secrets } from '#server/identity/secrets.ts'
import { AppError, conflict, invalid, notSignedIn } from '#server/platform/errors.ts'
import {
  type Attempt,
  type AttemptLimits,
  countAttempt,
  isUnderLimit,
} from '#server/platform/limits/limits.ts'
import {
  createRecoveryCodes,
  createSecret,
  createSecretCipher,
  hashRecoveryCode,
  otpUrl,
  RECOVERY_COST,
  readCode,
  type SecretCipher,
  stepOfCode,
} from './codes.ts'
import type { TwoFactorEmails } from './emails.ts'
import {
  deleteTwoFactor,
  enable,
  endOtherSessions,
  findEmail,
  findState,
  findTwoFactor,
  listSecrets,
  lockPassword,
  replaceRecoveryCodes,
  replaceSecret,
  saveSecret,
  useRecoveryCode,
  useStep,
} from './store.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const SALT_BYTES = 16

/** The maximum time from the QR code to the first code. */
const BEGINNING_MS = 30 * 60_000

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

/** Limits codes that are entered in sessions of one account, to turn it off or to get new recovery codes. */
const SESSION_LIMIT = { name: 'second factor changes', calls: 30, seconds: DAY }

/** An entered code; `ip` is set during sign-in. */
export type CodeAttempt = { userId: string; code: string; ip?: string }

export type TwoFactorService = TwoFactor & {
  /**
   * Redeems a code once, in the transaction of the action that it authorizes. Throws `invalid`, `conflict`,
   * `too_many_requests` or `unavailable`.
   */
  redeem<T>(attempt: CodeAttempt, work: (trx: Transaction<Schema>) => Promise<T>): Promise<T>
}

/** Creates two-step sign-in of the local provider. Re-encrypts the secrets that still use the previous key. */
export async function createTwoFactor(deps: TwoFactorDeps): Promise<TwoFactorService> {
  const { db, secrets, publicUrl, clock, semaphore, notices, hashCost = RECOVERY_COST } = deps
  const cipher = createSecretCipher(secrets)
  if (secrets.previous) await renewSecrets(db, cipher, secrets)

  const newCodes = async (userId: string) => {
    const codes = createRecoveryCodes()
    const salt = randomBytes(SALT_BYTES)
    const hashes: Buffer[] = []
    // Sequentially, because a semaphore has few slots.
    for (const code of codes) hashes.push(await semaphore(() => hashRecoveryCode(code, salt, hashCost)))
    return { codes, store: (trx: Transaction<Schema>) => replaceRecoveryCodes(trx, { userId, salt, hashes }) }
  }

  const redeem = createRedeem(deps, cipher)
  return {
    redeem,
    read: (subject) => findState(db, subject),

    async begin(userId) {
      const email = await findEmail(db, userId)
      if (email === undefined) throw notSignedIn()
      const secret = createSecret()
      const secretEncrypted = await cipher.encrypt(secret, userId)
      if (!(await saveSecret(db, { userId, secretEncrypted, now: clock() }))) throw isOnAlready()
      return { secret, url: otpUrl(secret, { email, host: new URL(publicUrl).hostname }) }
    },

    async turnOn({ subject: userId, session }, code) {
      const record = await findTwoFactor(db, userId)
      if (record?.enabledAt) throw isOnAlready()
      const now = clock()
      const secretEncrypted = record?.secretEncrypted
      const isFresh = record && now.getTime() - record.begunAt.getTime() < BEGINNING_MS
      const secret = isFresh ? await cipher.decrypt(record.secretEncrypted, userId) : null
      if (secretEncrypted === undefined || secret === null)
        throw new AppError('expired', 'This took too long. Begin again with a new QR code.')
      const step = stepOfCode(secret, readCode(code).code, now)
      if (step === null) throw wrongCode()
      const { codes, store } = await newCodes(userId)
      await db.transaction().execute(async (trx) => {
        await lockPassword(trx, userId)
        if (!(await enable(trx, { userId, secretEncrypted, step, now }))) throw isOnAlready()
        await store(trx)
        await endOtherSessions(trx, userId, session)
        await notices?.add(trx, { userId, about: 'on', now })
      })
      notices?.wake()
      return codes
    },

    async turnOff({ subject: userId, session }, code) {
      await redeem({ userId, code }, async (trx) => {
        await deleteTwoFactor(trx, userId)
        await endOtherSessions(trx, userId, session)
        await notices?.add(trx, { userId, about: 'off', now: clock() })
      })
    },

    async renewRecoveryCodes({ subject: userId }, code) {
      const { codes, store } = await newCodes(userId)
      await redeem({ userId, code }, async (trx) => {
        await store(trx)
        await notices?.add(trx, { userId, about: 'new_recovery_codes', now: clock() })
      })
      return codes
    },

    async remove(trx, subject) {
      if (!(await removeTwoFactor(trx, subject))) return undefined
      await notices?.add(trx, { userId: subject, about: 'off_by_administrator', now: clock() })
      return () => notices?.wake()
    },
  }
}

/** Creates the function that redeems codes. It counts an attempt before it compares the code. */
function createRedeem(deps: TwoFactorDeps, cipher: SecretCipher): TwoFactorService['redeem'] {
  const { db, clock, semaphore, notices, hashCost = RECOVERY_COST } = deps

  /** Returns a function that uses up the code in a transaction; null if the code is wrong. */
  async function verify({ userId, code: typed }: CodeAttempt) {
    const record = await findTwoFactor(db, userId)
    if (!record?.enabledAt) throw conflict('Two-step sign-in is off')
    const { kind, code } = readCode(typed)
    if (kind === 'recovery') {
      const { recoverySalt: salt } = record
      if (salt === null) return null
      const hash = await semaphore(() => hashRecoveryCode(code, salt, hashCost))
      return async (trx: Transaction<Schema>) => {
        if (!(await useRecoveryCode(trx, userId, hash))) return false
        await notices?.add(trx, { userId, about: 'recovery_code_used', now: clock() })
        return true
      }
    }
    const secret = await cipher.decrypt(record.secretEncrypted, userId)
    if (secret === null)
      throw conflict('This server can no longer check codes of your app. Use a recovery code.')
    const step = stepOfCode(secret, code, clock())
    return step === null ? null : (trx: Transaction<Schema>) => useStep(trx, userId, step)
  }

  /** Counts an attempt before its code is compared. Throws `too_many_requests`. */
  async function count({ userId, code, ip }: CodeAttempt): Promise<Attempt | undefined> {
    const now = clock()
    if (ip !== undefined) {
      const limits = CODE_LIMITS[readCode(code).kind]
      return countAttempt({ db, now, limits }, { account: userId, ip }, tooManyAttempts)
    }
    const isWithin = await db
      .transaction()
      .execute((trx) => isUnderLimit({ trx, now }, SESSION_LIMIT, userId))
    if (!isWithin) throw tooManyAttempts(DAY)
    return undefined
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
      await counted?.succeeded()
      notices?.wake()
      return result
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'invalid')) await counted?.withdrawn()
      throw error
    }
  }
}

/** Turns two-step sign-in off for an account, and ends all its sessions; returns false if it was off. */
export async function removeTwoFactor(trx: Transaction<Schema>, subject: string): Promise<boolean> {
  if (!(await deleteTwoFactor(trx, subject))) return false
  await endOtherSessions(trx, subject, null)
  return true
}

const isOnAlready = () => conflict('Two-step sign-in is on already. You can make new recovery codes.')

const tooManyAttempts = (retryAfter: number) =>
  new AppError('too_many_requests', signInTexts.tooManyAttempts, { retryAfter })

const wrongCode = () =>
  invalid([{ path: 'code', message: 'This code is not right, or was used before. Please try the next one.' }])

/** Re-encrypts with the current key the secrets that only the previous key decrypts, before the operator removes that key. */
async function renewSecrets(db: Kysely<Schema>, cipher: SecretCipher, { previous }: Secrets): Promise<void> {
  for (const { userId, secretEncrypted } of await listSecrets(db)) {
    if (decodeProtectedHeader(secretEncrypted).kid !== previous?.id) continue
    const secret = await cipher.decrypt(secretEncrypted, userId)
    if (secret === null) continue
    const renewed = await cipher.encrypt(secret, userId)
    await replaceSecret(db, { userId, known: secretEncrypted, renewed })
  }
}
