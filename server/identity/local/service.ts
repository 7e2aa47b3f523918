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
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { type AttemptLimits, countAttempt, enforceLimit, type Limit } from '#server/platform/limits/limits.ts'
import { networkOf } from '#server/platform/network.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { consistsOfAccountWords, isCommonPassword } from './common-passwords.ts'
import { comparePassword, HASH_COST, type HashCost, hashPassword, type Semaphore } from './hashing.ts'
import type { IdTokens } from './id-tokens.ts'
import { commonPassword, emailTaken, passwordOfAccountWords } from './refusals.ts'
import { findAccount, insertAccount, replaceHash } from './store.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** Rate limits of one network. */
const SIGN_UPS = { name: 'sign-up', calls: 40, seconds: 10 * MINUTE }
const SIGN_INS = { name: 'sign-in', calls: 60, seconds: MINUTE }
const ID_TOKENS = { name: 'id-token', calls: 120, seconds: MINUTE }
const SIGN_OUTS = { name: 'sign-out', calls: 120, seconds: MINUTE }

/** Limits of wrong passwords for one account. */
export const ATTEMPT_LIMITS: AttemptLimits = {
  network: { name: 'pair', calls: 5, seconds: 15 * MINUTE },
  account: { name: 'account', calls: 60, seconds: 15 * MINUTE },
  knownSeconds: 30 * DAY,
}

export type Exchange = { request: FastifyRequest; reply: FastifyReply }

export type LocalService = ReturnType<typeof createLocalService>

type Deps = {
  db: Kysely<Schema>
  sessions: BrowserSessions
  idTokens: IdTokens
  semaphore: Semaphore
  clock: () => Date
  rateLimit: boolean
  registrationPolicy?: RegistrationPolicy | undefined
  /** Undefined if this server sends no mail. Emails are then not confirmed. */
  confirmations: Confirmations | undefined
  secondSteps: SecondSteps
  /** What people call the issuer with which they can also sign in, if there is one. */
  issuerName?: string | undefined
  hashCost?: HashCost | undefined
}

/** Throws `too_many_requests`. */
type Count = (exchange: Exchange, limit: Limit) => Promise<void>

/** Returns the function that opens a session for a correct password. Throws `no_account`, `no_password` or `incorrect_password`. */
function createPasswordSignIn(deps: Deps) {
  const { db, sessions, semaphore, secondSteps, hashCost = HASH_COST } = deps

  /** Returns the person and the hash of a correct password; replaces a hash of a lower cost. */
  async function findPerson({ email, password }: z.output<typeof signInFields>, ip: string) {
    const account = await findAccount(db, email)
    if (!account) throw new AppError('no_account', signInTexts.noAccount)
    const { userId, hash: known } = account
    if (known === null) throw new AppError('no_password', noPasswordOf(deps.issuerName ?? 'Google'))
    const hash = await semaphore(clientNamed(networkOf(ip)), () => comparePassword(known, password, hashCost))
    if (hash === undefined) throw incorrectPassword()
    if (hash !== known) await replaceHash(db, known, hash)
    return { userId, hash }
  }

  return async function openByPassword({ request, reply }: Exchange, fields: z.output<typeof signInFields>) {
    const { userId, hash } = await findPerson(fields, request.ip)
    const opened = await sessions.openByPassword(userId, request, { hash, hasSecondStep: false })
    if (opened === 'password changed') throw incorrectPassword()
    const isDue = opened === 'second step due'
    reply.header('set-cookie', isDue ? await secondSteps.begin(userId) : opened.cookies)
    return { isSecondStepDue: isDue }
  }
}

/** Accounts with email and password. */
export function createLocalService(deps: Deps) {
  const { db, sessions, semaphore, clock, registrationPolicy, confirmations, secondSteps } = deps
  const { hashCost = HASH_COST } = deps

  const count: Count = async ({ request }, limit) => {
    if (deps.rateLimit) await enforceLimit({ db, clock }, limit, request.ip)
  }
  const openByPassword = createPasswordSignIn(deps)

  return {
    /**
     * Creates an account and signs in. Throws `registration_closed` before it looks up the email; `invalid`, `common_password`,
     * `conflict`, `too_many_requests` or `unavailable`.
     */
    async signUp(exchange: Exchange, fields: z.output<typeof signUpFields>): Promise<void> {
      const { invitation, email, name, password } = fields
      await registrationPolicy?.check(db, { email, emailVerified: false, invitation })
      if (isCommonPassword(password)) throw commonPassword()
      if (consistsOfAccountWords(password, { email, names: [name] })) throw passwordOfAccountWords()
      await count(exchange, SIGN_UPS)
      if (await findAccount(db, email)) throw emailTaken()
      const hash = await semaphore(clientNamed(networkOf(exchange.request.ip)), () =>
        hashPassword(password, hashCost),
      )
      const userId = await insertAccount(db, { email, name, hash, now: clock() })
      if (userId === undefined) throw emailTaken()
      const { cookies } = await sessions.open(userId, exchange.request)
      exchange.reply.header('set-cookie', cookies)
      await confirmations?.begin(userId)
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
      try {
        await count(exchange, SIGN_INS)
        const { isSecondStepDue } = await openByPassword(exchange, fields)
        await attempt.succeeded()
        if (isSecondStepDue) throw secondFactorRequired()
      } catch (error) {
        if (!isCounted(error)) await attempt.withdrawn()
        throw error
      }
    },

    /** Completes this browser's pending sign-in with a code. Throws `expired`, `invalid` or `too_many_requests`. */
    async finishSignIn({ request, reply }: Exchange, code: string): Promise<void> {
      reply.header('set-cookie', await secondSteps.finish(request, code))
    },

    ...createCookieCalls(deps, count),
  }
}

/** What a browser does with the session of its cookie. */
function createCookieCalls({ sessions, idTokens }: Deps, count: Count) {
  return {
    /** Returns an ID token for the session of the cookie. Throws `not_signed_in`. */
    async idToken(exchange: Exchange): Promise<string> {
      await count(exchange, ID_TOKENS)
      const session = await sessions.find(exchange.request)
      if (!session) throw notSignedIn()
      const extended = await sessions.extend(session)
      if (extended !== undefined) exchange.reply.header('set-cookie', extended)
      return idTokens.sign(session)
    },

    /** Ends the session of the cookie, if there is one. */
    async signOut(exchange: Exchange): Promise<void> {
      await count(exchange, SIGN_OUTS)
      exchange.reply.header('set-cookie', await sessions.end(exchange.request))
    },

    /** Returns the user of the session of the cookie. Throws `not_signed_in`. */
    async userOf({ request }: Exchange): Promise<string> {
      const session = await sessions.find(request)
      if (!session) throw notSignedIn()
      return session.person.id
    },
  }
}

const incorrectPassword = () => new AppError('incorrect_password', signInTexts.incorrectPassword)

/** Whether an error of a sign-in answers the attempt, instead of keeping it from being made. */
const isCounted = (error: unknown): boolean =>
  error instanceof AppError &&
  ['no_account', 'no_password', 'incorrect_password', 'second_factor_required'].includes(error.code)
