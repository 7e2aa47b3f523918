import { AsyncLocalStorage } from 'node:async_hooks'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { parseEnvelope } from 'better-auth/crypto'
import { jwt } from 'better-auth/plugins/jwt'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { z } from 'zod'
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import { identifyDevice, type SignInCall } from '#server/identity/devices/devices.ts'
import { endWithoutSecondStep, needsSecondStep } from '#server/identity/two-factor/second-step.ts'
import type { Secret, Secrets } from '#server/platform/secrets.ts'
import { createPasswords, HASH_COST, type HashCost } from './hashing.ts'
import {
  deleteExpiredSessions,
  deleteSessionOfOldPassword,
  listSigningKeys,
  replaceHash,
  type SigningKey,
} from './store.ts'

export const ISSUER = 'urn:milepost:local'
export const AUDIENCE = 'milepost'
export const ALGORITHM = 'ES256'

/** The only header from which better-auth reads the client IP. Only our routes set it. */
export const IP_HEADER = 'x-milepost-address'

const DAY = 24 * 60 * 60

/** The context of a sign-in: the hash that the password was compared with, and the user if a second step is required. */
export const signIns = new AsyncLocalStorage<{ hash?: string; needsSecondStep?: string }>()

export type AuthSettings = {
  db: Kysely<Schema>
  secrets: Secrets
  publicUrl: string
  log: Logger
  /** The cost of a password hash. Only tests set it, because they sign in hundreds of times. */
  hashCost?: HashCost | undefined
}

/** Creates better-auth as the local provider. Our routes decide which of its endpoints are reachable. */
export function createAuth(settings: AuthSettings) {
  return betterAuth(authOptions(settings))
}

export type Auth = ReturnType<typeof createAuth>

type NewSession = { userId: string; userAgent?: string | null }

/** Exported for the test that compares our tables with those that better-auth expects. */
export function authOptions({ db, secrets, publicUrl, log, hashCost = HASH_COST }: AuthSettings) {
  const secure = new URL(publicUrl).protocol === 'https:'
  const known = [secrets.current, secrets.previous].filter((secret) => secret !== null)
  return {
    appName: 'Milepost',
    baseURL: publicUrl,
    basePath: '/api/auth',
    trustedOrigins: [new URL(publicUrl).origin],
    secrets: known.map((secret) => ({ version: numberOf(secret), value: secret.providerKey })),
    database: { db, type: 'postgres' as const, schemaName: 'identity', transaction: true },
    emailAndPassword: {
      enabled: true,
      // The contract has checked the length in code points; better-auth counts UTF-16 code units.
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: 2 * PASSWORD_MAX,
      password: createPasswords(hashCost, {
        replace: (known, renewed) => replaceHash(db, known, renewed),
        accepted(hash) {
          const signIn = signIns.getStore()
          if (signIn) signIn.hash = hash
        },
      }),
    },
    session: {
      expiresIn: 30 * DAY,
      updateAge: DAY,
      additionalFields: {
        device: { type: 'string' as const, required: false, input: false, returned: false },
      },
    },
    // Our service applies the rate limits.
    rateLimit: { enabled: false },
    account: { encryptOAuthTokens: true },
    advanced: {
      cookiePrefix: 'milepost',
      useSecureCookies: secure,
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [IP_HEADER] },
      database: { generateId: 'uuid' as const, validateSchema: false },
    },
    databaseHooks: {
      session: { create: sessionHooks({ db, secure }) },
    },
    plugins: [
      openSession,
      jwt({
        disableSettingJwtHeader: true,
        jwks: { keyPairConfig: { alg: ALGORITHM }, rotationInterval: 30 * DAY, gracePeriod: DAY },
        adapter: { getJwks: () => readKeys(db, known, new Date()) },
        jwt: { issuer: ISSUER, audience: AUDIENCE, expirationTime: '10m', definePayload: idTokenPayload },
      }),
    ],
    // Passes errors to our error handler instead of standard error.
    onAPIError: { throw: true },
    telemetry: { enabled: false },
    logger: { level: 'error' as const, log: logTo(log) },
  }
}

/** What better-auth calls before and after it opens a session. */
function sessionHooks({ db, secure }: { db: Kysely<Schema>; secure: boolean }) {
  return {
    /** Opens no session for a password alone if two-step sign-in is on. Sets the device of all other sessions. */
    async before(session: NewSession, call: (SignInCall & { path?: string }) | null) {
      const { userId } = session
      if (call?.path === '/sign-in/email' && (await needsSecondStep(db, userId))) {
        const signIn = signIns.getStore()
        if (signIn) signIn.needsSecondStep = userId
        return false
      }
      const userAgent = session.userAgent ?? ''
      return { data: { ...session, device: call && identifyDevice(call, { userId, userAgent, secure }) } }
    },
    async after(session: { id: string; userId: string }, call: { path?: string } | null) {
      await deleteExpiredSessions(db, session.userId)
      const byPassword = call?.path === '/sign-in/email'
      const signIn = signIns.getStore()
      if (byPassword || signIn) await deleteSessionOfOldPassword(db, session.id, signIn?.hash ?? '')
      if (byPassword) await endWithoutSecondStep(db, session.id)
    },
  }
}

/** Signs in a user whom another issuer has authenticated. Callable by this server only, not over HTTP. */
const openSession = {
  id: 'milepost-open-session',
  endpoints: {
    openSession: createAuthEndpoint(
      { method: 'POST', body: z.object({ userId: z.uuid() }) },
      async ({ body, context, ...call }) => {
        const user = await context.internalAdapter.findUserById(body.userId)
        if (!user) throw new Error('there is no such user')
        const session = await context.internalAdapter.createSession(user.id)
        await setSessionCookie({ body, context, ...call }, { session, user })
        return { id: session.id }
      },
    ),
  },
} satisfies BetterAuthPlugin

/** better-auth identifies secrets by number. This one is derived from the secret, so all replicas agree on it. */
const numberOf = ({ id }: Secret) => Number.parseInt(id.slice(0, 8), 16)

/**
 * Returns the keys of ID tokens. A key that none of our secrets decrypts, because the secret was rotated or differs on
 * another replica, is returned as expired: it still verifies tokens, but signs no new ones.
 */
export async function readKeys(db: Kysely<Schema>, secrets: Secret[], now: Date): Promise<SigningKey[]> {
  const ours = new Set(secrets.map(numberOf))
  // better-auth still signs with a key in the millisecond in which it expires.
  const justExpired = new Date(now.getTime() - 1)
  return (await listSigningKeys(db)).map((key) =>
    ours.has(secretNumberOf(key)) || key.expiresAt < now ? key : { ...key, expiresAt: justExpired },
  )
}

function secretNumberOf({ privateKey }: SigningKey): number {
  return parseEnvelope(JSON.parse(privateKey) as string)?.version ?? Number.NaN
}

type Signed = {
  user: { email: string; emailVerified: boolean; name: string; image?: string | null }
  session: { id: string }
}

function idTokenPayload({ user, session }: Signed) {
  return {
    email: user.email,
    email_verified: user.emailVerified,
    name: user.name,
    picture: user.image ?? undefined,
    sid: session.id,
  }
}

function logTo(log: Logger) {
  return (level: 'debug' | 'info' | 'warn' | 'error', message: string, ...details: unknown[]) => {
    log[level]({ err: details.find((detail) => detail instanceof Error) }, message)
  }
}
