import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { signInFields, signUpFields } from '#contract/identity.ts'
import { noPasswordOf, signInTexts } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Confirmations } from '#server/identity/emailed-links/confirmation.ts'
import type { RegistrationPolicy } from '#server/identity/identity.ts'
import { type SecondSteps, secondFactorRequired } from '#server/identity/two-factor/second-step.ts'
import { AppError, notSignedIn } from '#server/platform/api/errors.ts'
import { type AttemptLimits, countAttempt, enforceLimit, type Limit } from '#server/platform/limits/limits.ts'
import { type Auth, signIns } from './auth.ts'
import { consistsOfAccountWords, isCommonPassword } from './common-passwords.ts'
import { commonPassword, emailTaken, forward, passwordOfAccountWords, toAppError } from './forward.ts'
import type { Semaphore } from './hashing.ts'
import { findAccount, readSessions } from './store.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** Rate limits of one network. */
const CALL_LIMITS = {
  '/sign-up/email': { name: 'sign-up', calls: 40, seconds: 10 * MINUTE },
  '/sign-in/email': { name: 'sign-in', calls: 60, seconds: MINUTE },
  '/token': { name: 'id-token', calls: 120, seconds: MINUTE },
  '/sign-out': { name: 'sign-out', calls: 120, seconds: MINUTE },
} satisfies Record<string, Limit>

/** Limits of wrong passwords for one account. */
export const ATTEMPT_LIMITS: AttemptLimits = {
  network: { name: 'pair', calls: 5, seconds: 15 * MINUTE },
  account: { name: 'account', calls: 60, seconds: 15 * MINUTE },
  knownSeconds: 30 * DAY,
}

export type Exchange = { request: FastifyRequest; reply: FastifyReply }

export type LocalService = ReturnType<typeof createLocalService>

type Deps = {
  auth: Auth
  db: Kysely<Schema>
  semaphore: Semaphore
  clock: () => Date
  rateLimit: boolean
  registrationPolicy?: RegistrationPolicy | undefined
  /** Undefined if this server sends no mail. Emails are then not confirmed. */
  confirmations: Confirmations | undefined
  secondSteps: SecondSteps
  /** What people call the issuer with which they can also sign in, if there is one. */
  issuerName?: string | undefined
}

/** Accounts with email and password, managed by better-auth. Our checks run before it, and its errors are mapped to ours. */
export function createLocalService(deps: Deps) {
  const { auth, db, semaphore, clock, rateLimit, registrationPolicy, confirmations, secondSteps } = deps

  /** Counts and forwards a call. Throws `too_many_requests`. */
  async function call(path: keyof typeof CALL_LIMITS, exchange: Exchange, body?: object) {
    if (rateLimit) await enforceLimit({ db, clock }, CALL_LIMITS[path], exchange.request.ip)
    return forward(auth, { ...exchange, path, ...(body && { body }) })
  }

  /** Lets better-auth compare the password and sign in. `needsSecondStep` is the user if it was right but not enough. */
  async function comparePassword(exchange: Exchange, fields: z.output<typeof signInFields>) {
    const signIn: { needsSecondStep?: string } = {}
    const answer = await semaphore(() => signIns.run(signIn, () => call('/sign-in/email', exchange, fields)))
    return { answer, needsSecondStep: signIn.needsSecondStep }
  }

  return {
    /**
     * Creates an account and signs in. Throws `registration_closed` before it looks up the email; `invalid`, `common_password`,
     * `conflict`, `too_many_requests` or `unavailable`.
     */
    async signUp(
      exchange: Exchange,
      { invitation, ...fields }: z.output<typeof signUpFields>,
    ): Promise<void> {
      await registrationPolicy?.check(db, { email: fields.email, emailVerified: false, invitation })
      if (isCommonPassword(fields.password)) throw commonPassword()
      if (consistsOfAccountWords(fields.password, { email: fields.email, names: [fields.name] }))
        throw passwordOfAccountWords()
      const answer = await semaphore(() => call('/sign-up/email', exchange, fields))
      if (answer.ok) return confirmations?.begin((answer.body.user as { id: string }).id)
      // If two people register with one email concurrently, the second insert fails with this code.
      const lostRace =
        answer.code === 'FAILED_TO_CREATE_USER' && (await findAccount(db, fields.email)) !== undefined
      throw lostRace ? emailTaken() : toAppError(answer)
    },

    /**
     * Signs in. Throws `second_factor_required` with a cookie for the second step; `no_account`, `no_password`,
     * `incorrect_password`, `too_many_requests` or `unavailable`.
     */
    async signIn(exchange: Exchange, fields: z.output<typeof signInFields>): Promise<void> {
      const attempt = await countAttempt(
        { db, now: clock(), limits: ATTEMPT_LIMITS },
        { account: fields.email.toLowerCase(), ip: exchange.request.ip },
        (retryAfter) => new AppError('too_many_requests', signInTexts.tooManyAttempts, { retryAfter }),
      )
      const { answer, needsSecondStep } = await comparePassword(exchange, fields).catch(
        async (error: unknown) => {
          await attempt.withdrawn()
          throw error
        },
      )
      if (answer.ok) return attempt.succeeded()
      if (needsSecondStep !== undefined) {
        await attempt.succeeded()
        exchange.reply.header('set-cookie', await secondSteps.begin(needsSecondStep))
        throw secondFactorRequired()
      }
      if (answer.code !== 'INVALID_EMAIL_OR_PASSWORD') {
        await attempt.withdrawn()
        throw toAppError(answer)
      }
      throw await wrongPassword(db, fields.email, deps.issuerName)
    },

    /** Completes this browser's pending sign-in with a code. Throws `expired`, `invalid` or `too_many_requests`. */
    async finishSignIn({ request, reply }: Exchange, code: string): Promise<void> {
      reply.header('set-cookie', await secondSteps.finish(request, code))
    },

    /** Returns an ID token for the session of the cookie. Throws `not_signed_in`. */
    async idToken(exchange: Exchange): Promise<string> {
      const answer = await call('/token', exchange)
      if (!answer.ok) {
        // better-auth treats a session that it cannot read as absent.
        await readSessions(db)
        throw toAppError(answer)
      }
      return String(answer.body.token)
    },

    /** Ends the session of the cookie, if there is one. */
    async signOut(exchange: Exchange): Promise<void> {
      // better-auth reports success even if it could not end the session.
      await readSessions(db)
      const answer = await call('/sign-out', exchange, {})
      if (!answer.ok) throw toAppError(answer)
    },

    /** Returns the user of the session of the cookie. Throws `not_signed_in`. */
    async userOf({ request }: Exchange): Promise<string> {
      const session = await auth.api.getSession({
        headers: new Headers({ cookie: request.headers.cookie ?? '' }),
        query: { disableRefresh: true },
      })
      if (!session) throw notSignedIn()
      return session.user.id
    },
  }
}

async function wrongPassword(db: Kysely<Schema>, email: string, issuerName = 'Google'): Promise<AppError> {
  const account = await findAccount(db, email)
  if (!account) return new AppError('no_account', signInTexts.noAccount)
  return account.hasPassword
    ? new AppError('incorrect_password', signInTexts.incorrectPassword)
    : new AppError('no_password', noPasswordOf(issuerName))
}
