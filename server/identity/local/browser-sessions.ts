import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { identifyDevice } from '#server/identity/devices/devices.ts'
import { needsSecondStep } from '#server/identity/two-factor/second-step.ts'
import { defineCookie } from '#server/platform/api/cookies.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import {
  type BrowserSession,
  deleteExpiredSessions,
  deleteSessionByToken,
  extendSession,
  findSession,
  insertSession,
  isCurrentHash,
} from './store.ts'

const DAY_S = 24 * 60 * 60
const LIFETIME_S = 30 * DAY_S
/** A session in use is extended once a day. */
const EXTENDED_AFTER_S = DAY_S
const USER_AGENT_MAX = 400

export type Opened = { id: string; cookies: string[] }

/** The hash with which the password was compared, and whether a second step was passed as well. */
type Password = { hash: string | null; hasSecondStep: boolean }

type Deps = { db: Kysely<Schema>; secrets: Secrets; publicUrl: string; clock: () => Date }

/** The sessions of the local provider. A browser holds one in a signed cookie. */
export type BrowserSessions = ReturnType<typeof createBrowserSessions>

export function createBrowserSessions({ db, secrets, publicUrl, clock }: Deps) {
  const known = [secrets.current, ...(secrets.previous ? [secrets.previous] : [])]
  const cookie = defineCookie({
    name: 'milepost.session_token',
    publicUrl,
    path: '/',
    maxAgeSeconds: LIFETIME_S,
  })

  const sign = (token: string, { providerKey } = secrets.current) =>
    createHmac('sha256', providerKey).update(token).digest('base64')

  /** Returns the token of a request's cookie, if one of our secrets signed it. */
  function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
    const [token = '', signature = ''] = cookie.read(headers.cookie)?.split('.') ?? []
    return known.some((secret) => isSame(sign(token, secret), signature)) ? token : undefined
  }

  const expiry = (now: Date) => new Date(now.getTime() + LIFETIME_S * 1000)

  function newSession(userId: string, { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>) {
    const now = clock()
    const token = randomBytes(32).toString('base64url')
    const userAgent = headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? ''
    const device = identifyDevice({ cookies: headers.cookie, userAgent, userId, publicUrl })
    const session = { userId, token, now, expiresAt: expiry(now), ip, userAgent, device: device.hash }
    return { session, cookies: [device.cookie, cookie.set(`${token}.${sign(token)}`)] }
  }

  return {
    /** Opens a session of a person whom a passkey or an issuer has identified, or who has just registered. */
    async open(userId: string, client: FastifyRequest): Promise<Opened> {
      const { session, cookies } = newSession(userId, client)
      await deleteExpiredSessions(db, userId, session.now)
      return { id: await insertSession(db, session), cookies }
    },

    /**
     * Opens a session after a correct password. Opens none if the password was changed, reset or removed since it was compared, or
     * if a second step is due: whoever changes either locks the password first, and ends the sessions that exist by then.
     */
    async openByPassword(
      userId: string,
      client: FastifyRequest,
      { hash, hasSecondStep }: Password,
    ): Promise<Opened | 'password changed' | 'second step due'> {
      const { session, cookies } = newSession(userId, client)
      return db.transaction().execute(async (trx) => {
        if (hash === null || !(await isCurrentHash(trx, userId, hash))) return 'password changed'
        if (!hasSecondStep && (await needsSecondStep(trx, userId))) return 'second step due'
        await deleteExpiredSessions(trx, userId, session.now)
        return { id: await insertSession(trx, session), cookies }
      })
    },

    /** Returns the session of a request's cookie. */
    async find(request: FastifyRequest): Promise<BrowserSession | undefined> {
      const token = tokenOf(request)
      return token === undefined ? undefined : findSession(db, token, clock())
    },

    /** Extends a session that was not extended today. Returns the cookie to send. */
    async extend({ id, token, expiresAt }: BrowserSession): Promise<string | undefined> {
      const now = clock()
      const extended = expiry(now)
      if (extended.getTime() - expiresAt.getTime() < EXTENDED_AFTER_S * 1000) return undefined
      await extendSession(db, { id, expiresAt: extended, now })
      return cookie.set(`${token}.${sign(token)}`)
    },

    /** Ends the session of a request's cookie, if there is one. Returns the cookie that deletes it. */
    async end(request: FastifyRequest): Promise<string> {
      const token = tokenOf(request)
      if (token !== undefined) await deleteSessionByToken(db, token)
      return cookie.clear()
    },
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
