import { randomBytes } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import type { Kysely, Transaction } from 'kysely'
import { findAccountEmail } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import type { TwoFactor } from '#server/identity/identity.ts'
import { AppError, conflict, notSignedIn } from '#server/platform/api/errors.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import {
  createRecoveryCodes,
  createSecret,
  createSecretCipher,
  hashRecoveryCode,
  otpUrl,
  RECOVERY_COST,
  readCode,
  type SecretCipher,
  timeStepOf,
} from './codes.ts'
import { createRedeem, isOff, type Redeem, type TwoFactorDeps, wrongCode } from './redeem.ts'
import {
  deleteTwoFactor,
  enable,
  endOtherSessions,
  findState,
  findTwoFactor,
  isOn,
  listSecrets,
  lockPassword,
  replaceRecoveryCodes,
  replaceSecret,
  saveSecret,
} from './store.ts'

const SALT_BYTES = 16

/** The maximum time from the QR code to the first code. */
const BEGINNING_MS = 30 * 60_000

export type TwoFactorService = TwoFactor & { redeem: Redeem }

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
    for (const code of codes)
      hashes.push(await semaphore(clientNamed(userId), () => hashRecoveryCode(code, salt, hashCost)))
    return { codes, store: (trx: Transaction<Schema>) => replaceRecoveryCodes(trx, { userId, salt, hashes }) }
  }

  const redeem = createRedeem(deps, cipher)
  return {
    redeem,
    read: (subject) => findState(db, subject),

    async begin(userId) {
      const email = await findAccountEmail(db, userId)
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
      const step = timeStepOf(secret, readCode(code).code, now)
      if (step === null) throw wrongCode()
      const { codes, store } = await newCodes(userId)
      await db.transaction().execute(async (trx) => {
        await lockPassword(trx, userId)
        if (!(await enable(trx, { userId, secretEncrypted, step, now }))) throw isOnAlready()
        await store(trx)
        await endOtherSessions(trx, userId, session)
        await notices?.add(trx, userId, { about: 'on', at: now.toISOString() })
      })
      notices?.wake()
      return codes
    },

    async turnOff({ subject: userId, session }) {
      await db.transaction().execute(async (trx) => {
        if (!(await deleteTwoFactor(trx, userId))) throw isOff()
        await endOtherSessions(trx, userId, session)
        await notices?.add(trx, userId, { about: 'off', at: clock().toISOString() })
      })
      notices?.wake()
    },

    async renewRecoveryCodes({ subject: userId }) {
      const { codes, store } = await newCodes(userId)
      await db.transaction().execute(async (trx) => {
        if (!(await isOn(trx, userId))) throw isOff()
        await store(trx)
        await notices?.add(trx, userId, { about: 'new_recovery_codes', at: clock().toISOString() })
      })
      notices?.wake()
      return codes
    },

    async remove(trx, subject) {
      if (!(await removeTwoFactor(trx, subject))) return undefined
      await notices?.add(trx, subject, { about: 'off_by_administrator', at: clock().toISOString() })
      return () => notices?.wake()
    },
  }
}

/** Turns two-step sign-in off for an account, and ends all its sessions; returns false if it was off. */
export async function removeTwoFactor(trx: Transaction<Schema>, subject: string): Promise<boolean> {
  if (!(await deleteTwoFactor(trx, subject))) return false
  await endOtherSessions(trx, subject, null)
  return true
}

const isOnAlready = () => conflict('Two-step sign-in is on already. You can make new recovery codes.')

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
