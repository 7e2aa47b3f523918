import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { signInTexts } from '#contract/sign-in.ts'
import { CannotStart } from '#server/cannot-start.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Passwords } from '#server/identity/identity.ts'
import { AppError, conflict } from '#server/platform/api/errors.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { consistsOfAccountWords, isCommonPassword } from './common-passwords.ts'
import { HASH_COST, type HashCost, hashPassword, type Semaphore, verifyPassword } from './hashing.ts'
import type { PasswordEmails } from './password-emails.ts'
import { commonPassword, passwordOfAccountWords, wrongPassword } from './refusals.ts'
import { changeHash, findAccount, findAccountWords, findHash, replacePassword } from './store.ts'

const QUARTER_HOUR_S = 15 * 60

/** Limits attempts to change the password or delete the account, so that a stolen session cannot be used to guess the password. */
const CHANGE_LIMIT = { name: 'password changes', calls: 10, seconds: QUARTER_HOUR_S }

type Deps = {
  db: Kysely<Schema>
  semaphore: Semaphore
  clock: () => Date
  hashCost?: HashCost | undefined
  /** Undefined if this server sends no mail. */
  notices: PasswordEmails | undefined
}

/** Creates password changes, which require the current password. */
export function createPasswordChanges({
  db,
  semaphore,
  clock,
  notices,
  hashCost = HASH_COST,
}: Deps): Omit<Passwords, 'makeResetLink'> {
  /** Counts an attempt before the password is compared. Throws `too_many_requests`. */
  async function countTry(userId: string): Promise<void> {
    const isWithin = await db
      .transaction()
      .execute((trx) => isUnderLimit({ trx, now: clock() }, CHANGE_LIMIT, userId))
    if (!isWithin)
      throw new AppError('too_many_requests', signInTexts.tooManyAttempts, { retryAfter: QUARTER_HOUR_S })
  }

  return {
    isSet: async (userId) => (await findHash(db, userId)) !== undefined,

    async verify(userId, currentPassword) {
      const known = await findHash(db, userId)
      if (known === undefined) throw conflict(NO_PASSWORD)
      await countTry(userId)
      if (!(await semaphore(clientNamed(userId), () => verifyPassword(known, currentPassword))))
        throw wrongPassword()
    },

    async change(userId, { currentPassword, newPassword }, remaining) {
      if (isCommonPassword(newPassword)) throw commonPassword('newPassword')
      const known = await findHash(db, userId)
      if (known === undefined) throw conflict(NO_PASSWORD)
      if (consistsOfAccountWords(newPassword, await findAccountWords(db, userId)))
        throw passwordOfAccountWords('newPassword')
      await countTry(userId)
      const hash = await semaphore(clientNamed(userId), async () => {
        if (!(await verifyPassword(known, currentPassword))) throw wrongPassword()
        return hashPassword(newPassword, hashCost)
      })
      await db.transaction().execute(async (trx) => {
        // The password was correct, but a concurrent request has changed it.
        if (!(await changeHash(trx, { userId, known, hash, remaining }))) throw wrongPassword()
        await notices?.add(trx, userId)
      })
      notices?.wake()
    },
  }
}

const NO_PASSWORD = 'This account has no password'

/** Sets and returns a random password of an account, and ends all its sessions. Throws CannotStart. */
export async function resetPassword(db: Kysely<Schema>, email: string): Promise<string> {
  const password = randomBytes(16).toString('base64url')
  const hash = await hashPassword(password)
  if (await db.transaction().execute((trx) => replacePassword(trx, email, hash))) return password
  throw new CannotStart(
    (await findAccount(db, email))
      ? `${email} signs in with Google or another issuer and has no password.`
      : `There is no account with the address ${email}.`,
  )
}
