import { betterAuth } from 'better-auth'
import { jwt } from 'better-auth/plugins/jwt'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Secrets } from '#server/identity/secrets.ts'
import { createPasswords, HASH_COST, type HashCost } from './hashing.ts'
import { openSession } from './open-session.ts'
import { numberOf, readKeys } from './signing-keys.ts'

export const ISSUER = 'urn:milepost:local'
export const AUDIENCE = 'milepost'
export const ALGORITHM = 'ES256'

/** The only header that better-auth takes a client's address from; our routes alone write it. */
export const ADDRESS_HEADER = 'x-milepost-address'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

export type AuthSettings = {
  db: Kysely<Schema>
  secrets: Secrets
  publicUrl: string
  rateLimit: boolean
  log: Logger
  /** What hashing a password takes. Only tests, which sign in by the hundred, give one. */
  hashCost?: HashCost | undefined
}

/** better-auth, set up as the local provider; what of it is reachable is decided by our routes. */
export function createAuth(settings: AuthSettings) {
  return betterAuth(authOptions(settings))
}

export type Auth = ReturnType<typeof createAuth>

/** The options, by themselves, for the test that compares our tables with what better-auth wants. */
export function authOptions({ db, secrets, publicUrl, rateLimit, log, hashCost = HASH_COST }: AuthSettings) {
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
      // The contract has counted in code points already; here they are UTF-16 units.
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: 2 * PASSWORD_MAX,
      password: createPasswords(hashCost, (known, renewed) => replaceHash(db, known, renewed)),
    },
    session: { expiresIn: 30 * DAY, updateAge: DAY },
    rateLimit: {
      enabled: rateLimit,
      storage: 'database' as const,
      customRules: {
        '/sign-up/email': { window: 10 * MINUTE, max: 40 },
        '/sign-in/email': { window: MINUTE, max: 60 },
        '/token': { window: MINUTE, max: 120 },
        '/sign-out': { window: MINUTE, max: 120 },
      },
    },
    account: { encryptOAuthTokens: true },
    advanced: {
      cookiePrefix: 'milepost',
      useSecureCookies: new URL(publicUrl).protocol === 'https:',
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: 'uuid' as const, validateSchema: false },
    },
    databaseHooks: {
      session: {
        create: {
          after: async (session: { id: string; userId: string }, call: { path?: string } | null) => {
            await deleteExpired(db, session.userId)
            if (call?.path === '/sign-in/email') await deleteWithoutPassword(db, session.id)
          },
        },
      },
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
    // What is no refusal goes to the one error handler, instead of past the log to standard error.
    onAPIError: { throw: true },
    telemetry: { enabled: false },
    logger: { level: 'error' as const, log: logTo(log) },
  }
}

async function deleteExpired(db: Kysely<Schema>, userId: string): Promise<void> {
  await sql`delete from identity.session where "userId" = ${userId} and "expiresAt" < now()`.execute(db)
}

/** Of a sign-in whose password was taken away between its check and its session, nothing is left. */
async function deleteWithoutPassword(db: Kysely<Schema>, session: string): Promise<void> {
  await sql`
    delete from identity.session s where id = ${session} and not exists (
      select from identity.account where "userId" = s."userId" and password is not null)`.execute(db)
}

/** A hash has a salt of its own, so that it is found by itself, and only while it still is what the account has. */
async function replaceHash(db: Kysely<Schema>, known: string, renewed: string): Promise<void> {
  await sql`
    update identity.account set password = ${renewed}, "updatedAt" = current_timestamp
    where password = ${known}`.execute(db)
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
