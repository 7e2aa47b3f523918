import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { signInTexts } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import { defineCookie } from '#server/platform/api/cookies.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import type { TwoFactorService } from './service.ts'
import { findSecondStep, insertSecondStep, isOn, redeemSecondStep } from './store.ts'

/** Returns whether a sign-in to an account needs a second step. */
export const needsSecondStep = (db: Kysely<Schema>, userId: string): Promise<boolean> => isOn(db, userId)

const LIFETIME_SECONDS = 10 * 60

/** Opens a session if the password hash is still current, and returns its cookies; otherwise the reason why there is none. */
type OpenByPassword = (
  userId: string,
  client: FastifyRequest,
  password: { hash: string | null; hasSecondStep: true },
) => Promise<{ cookies: string[] } | string>

type Deps = {
  db: Kysely<Schema>
  publicUrl: string
  clock: () => Date
  twoFactor: TwoFactorService
  sessions: { openByPassword: OpenByPassword }
}

/** Sign-ins that wait for a code, each tied to its browser by a cookie. No session exists before the code is entered. */
export type SecondSteps = ReturnType<typeof createSecondSteps>

export function createSecondSteps({ db, publicUrl, clock, twoFactor, sessions }: Deps) {
  const cookie = defineCookie({
    name: 'milepost.second_step',
    publicUrl,
    path: '/api/auth',
    maxAgeSeconds: LIFETIME_SECONDS,
  })

  return {
    isNeeded: (userId: string) => needsSecondStep(db, userId),

    /** Starts the second step after a correct first factor. Returns the cookie. */
    async begin(userId: string): Promise<string> {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = new Date(clock().getTime() + LIFETIME_SECONDS * 1000)
      await insertSecondStep(db, { tokenHash: hashOfToken(token, 'base64url'), userId, expiresAt })
      return cookie.set(token)
    },

    /**
     * Redeems a code, opens the session and returns its cookies. Throws `expired` if this browser has no pending sign-in,
     * `invalid`, `too_many_requests` or `unavailable`.
     */
    async finish(client: FastifyRequest, code: string): Promise<string[]> {
      const tokenHash = hashOfToken(cookie.read(client.headers.cookie) ?? '', 'base64url')
      const userId = await findSecondStep(db, tokenHash, clock())
      if (userId === undefined) throw signInExpired()
      const redeemed = await twoFactor.redeem({ userId, code, ip: client.ip }, async (trx) => {
        const step = await redeemSecondStep(trx, tokenHash, clock())
        if (!step) throw signInExpired()
        return step
      })
      const opened = await sessions.openByPassword(userId, client, {
        hash: redeemed.passwordHash,
        hasSecondStep: true,
      })
      if (typeof opened === 'string') throw signInExpired()
      return [...opened.cookies, cookie.clear()]
    },
  }
}

const signInExpired = () => new AppError('expired', 'This sign-in took too long. Please sign in again.')

/** The error after a correct password or a sign-in by an issuer if a code is also required. */
export const secondFactorRequired = () =>
  new AppError('second_factor_required', signInTexts.secondFactorRequired)
