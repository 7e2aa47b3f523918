import { createHash, randomBytes } from 'node:crypto'
import { parseCookies } from 'better-auth/cookies'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { signInTexts } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import { AppError } from '#server/platform/api/errors.ts'
import type { TwoFactorService } from './service.ts'
import {
  deleteSessionWithoutSecondStep,
  findSecondStep,
  insertSecondStep,
  isOn,
  redeemSecondStep,
} from './store.ts'

/** Returns whether a sign-in to an account needs a second step. */
export const needsSecondStep = (db: Kysely<Schema>, userId: string): Promise<boolean> => isOn(db, userId)

/** Ends a new session that a password alone has opened, if two-step sign-in was turned on meanwhile. */
export const endWithoutSecondStep = (db: Kysely<Schema>, sessionId: string): Promise<void> =>
  deleteSessionWithoutSecondStep(db, sessionId)

const LIFETIME_SECONDS = 10 * 60
const PATH = '/api/auth'

type Deps = {
  db: Kysely<Schema>
  publicUrl: string
  clock: () => Date
  twoFactor: TwoFactorService
  /** Opens a session of a user if the password hash is still current, and returns its cookies. */
  openSession: (userId: string, client: FastifyRequest, passwordHash: string | null) => Promise<string[]>
}

/** Sign-ins that wait for a code, each tied to its browser by a cookie. No session exists before the code is entered. */
export type SecondSteps = ReturnType<typeof createSecondSteps>

export function createSecondSteps({ db, publicUrl, clock, twoFactor, openSession }: Deps) {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Secure-milepost.second_step' : 'milepost.second_step'
  const attributes = `Path=${PATH}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

  return {
    isNeeded: (userId: string) => needsSecondStep(db, userId),

    /** Starts the second step after a correct first factor. Returns the cookie. */
    async begin(userId: string): Promise<string> {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = new Date(clock().getTime() + LIFETIME_SECONDS * 1000)
      await insertSecondStep(db, { tokenHash: hashOf(token), userId, expiresAt })
      return `${name}=${token}; Max-Age=${LIFETIME_SECONDS}; ${attributes}`
    },

    /**
     * Redeems a code, opens the session and returns its cookies. Throws `expired` if this browser has no pending sign-in,
     * `invalid`, `too_many_requests` or `unavailable`.
     */
    async finish(client: FastifyRequest, code: string): Promise<string[]> {
      const token = parseCookies(client.headers.cookie ?? '').get(name)
      const tokenHash = hashOf(token ?? '')
      const userId = await findSecondStep(db, tokenHash, clock())
      if (userId === undefined) throw signInExpired()
      const redeemed = await twoFactor.redeem({ userId, code, ip: client.ip }, async (trx) => {
        const step = await redeemSecondStep(trx, tokenHash, clock())
        if (!step) throw signInExpired()
        return step
      })
      const cookies = await openSession(userId, client, redeemed.passwordHash)
      return [...cookies, `${name}=; Max-Age=0; ${attributes}`]
    },
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

const signInExpired = () => new AppError('expired', 'This sign-in took too long. Please sign in again.')

/** The error after a correct password or a sign-in by Google if a code is also required. */
export const secondFactorRequired = () =>
  new AppError('second_factor_required', signInTexts.secondFactorRequired)
