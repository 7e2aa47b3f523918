import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { isCommonPassword } from '#contract/common-passwords.ts'
import type { signInFields, signUpFields } from '#contract/identity.ts'
import { signInTexts } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import { AppError } from '#server/platform/errors.ts'
import { countAttempt } from './attempts.ts'
import type { Auth } from './auth.ts'
import type { Confirmations } from './confirmation/service.ts'
import { forward } from './forward.ts'
import type { Gate } from './hashing.ts'
import { commonPassword, emailTaken, refusalOf } from './refusals.ts'
import { findAccount, readSessions } from './store.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

export type LocalService = ReturnType<typeof createLocalService>

/** Accounts with e-mail and password: what better-auth does, between what we demand before and say after. */
export function createLocalService({
  auth,
  db,
  gate,
  clock,
  confirmations,
}: {
  auth: Auth
  db: Kysely<Schema>
  gate: Gate
  clock: () => Date
  /** Absent: addresses are not confirmed here. */
  confirmations: Confirmations | undefined
}) {
  return {
    /** Makes an account and signs in. Throws `invalid`, `common_password`, `conflict`, `too_many_requests` or `unavailable`. */
    async signUp(exchange: Exchange, fields: z.output<typeof signUpFields>): Promise<void> {
      if (isCommonPassword(fields.password)) throw commonPassword()
      const answer = await gate(() => forward(auth, { ...exchange, path: '/sign-up/email', body: fields }))
      if (answer.ok) return confirmations?.begin((answer.body.user as { id: string }).id)
      // Of two that sign up with one address at once, the loser hears of a failed insert.
      const lostRace =
        answer.code === 'FAILED_TO_CREATE_USER' && (await findAccount(db, fields.email)) !== undefined
      throw lostRace ? emailTaken() : refusalOf(answer)
    },

    /** Signs in. Throws `no_account`, `no_password`, `incorrect_password`, `too_many_requests` or `unavailable`. */
    async signIn(exchange: Exchange, fields: z.output<typeof signInFields>): Promise<void> {
      const attempt = await countAttempt(db, {
        email: fields.email,
        address: exchange.request.ip,
        now: clock(),
      })
      const answer = await gate(() =>
        forward(auth, { ...exchange, path: '/sign-in/email', body: fields }),
      ).catch(async (error: unknown) => {
        await attempt.withdrawn()
        throw error
      })
      if (answer.ok) return attempt.succeeded()
      if (answer.code !== 'INVALID_EMAIL_OR_PASSWORD') {
        await attempt.withdrawn()
        throw refusalOf(answer)
      }
      throw await wrongPassword(db, fields.email)
    },

    /** An ID token of the session in the cookie. Throws `not_signed_in`. */
    async idToken(exchange: Exchange): Promise<string> {
      const answer = await forward(auth, { ...exchange, path: '/token' })
      if (!answer.ok) {
        // A session that better-auth fails to read counts for it as one that is not there.
        await readSessions(db)
        throw refusalOf(answer)
      }
      return String(answer.body.token)
    },

    /** Ends the session in the cookie, if there is one. */
    async signOut(exchange: Exchange): Promise<void> {
      // better-auth says that a session ended also where it could not end it.
      await readSessions(db)
      const answer = await forward(auth, { ...exchange, path: '/sign-out', body: {} })
      if (!answer.ok) throw refusalOf(answer)
    },
  }
}

async function wrongPassword(db: Kysely<Schema>, email: string): Promise<AppError> {
  const account = await findAccount(db, email)
  if (!account) return new AppError('no_account', signInTexts.noAccount)
  return account.hasPassword
    ? new AppError('incorrect_password', signInTexts.incorrectPassword)
    : new AppError('no_password', signInTexts.noPassword)
}
