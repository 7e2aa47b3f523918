import type { Kysely } from 'kysely'
import { signInTexts } from '#contract/sign-in.ts'
import { findAccountEmail } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import { AppError, conflict } from '#server/platform/api/errors.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { countAttempt } from '#server/platform/limits/limits.ts'
import { networkOf } from '#server/platform/network.ts'
import { type Semaphore, verifyPassword } from './hashing.ts'
import { wrongPassword } from './refusals.ts'
import { ATTEMPT_LIMITS } from './service.ts'
import { findHash } from './store.ts'

type Deps = { db: Kysely<Schema>; clock: () => Date; semaphore: Semaphore }

/** Proofs by the password that the owner of an account is at its session. */
export type PasswordProofs = ReturnType<typeof createPasswordProofs>

export function createPasswordProofs({ db, clock, semaphore }: Deps) {
  return {
    has: async (userId: string) => (await findHash(db, userId)) !== undefined,

    /** Compares a password, with the rate limits of signing in. Throws `invalid`, `conflict`, `too_many_requests` or `unavailable`. */
    async verify(userId: string, password: string, ip: string): Promise<void> {
      const known = await findHash(db, userId)
      const email = await findAccountEmail(db, userId)
      if (known === undefined || email === undefined) throw conflict('This account has no password')
      const attempt = await countAttempt(
        { db, now: clock(), limits: ATTEMPT_LIMITS },
        { account: email.toLowerCase(), ip },
        (retryAfter) => new AppError('too_many_requests', signInTexts.tooManyAttempts, { retryAfter }),
      )
      const client = clientNamed(networkOf(ip))
      const isRight = await semaphore(client, () => verifyPassword(known, password)).catch(
        async (error: unknown) => {
          await attempt.withdrawn()
          throw error
        },
      )
      if (!isRight) throw wrongPassword()
      await attempt.succeeded()
    },
  }
}
