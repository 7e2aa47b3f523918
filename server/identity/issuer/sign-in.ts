import { hkdfSync } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import type { Kysely } from 'kysely'
import * as openid from 'openid-client'
import type { Logger } from 'pino'
import type { IssuerOutcome } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import type { RegistrationPolicy, TakeoverHook } from '#server/identity/identity.ts'
import type { IssuerSettings } from '#server/identity/settings.ts'
import type { SecondSteps } from '#server/identity/two-factor/second-step.ts'
import { readCookies } from '#server/platform/api/cookies.ts'
import { AppError } from '#server/platform/api/errors.ts'
import type { Secret, Secrets } from '#server/platform/secrets.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { createIssuer, type Issuer, IssuerUnavailable, promptOf, reauthenticationOf } from './issuer.ts'
import { linkAccount } from './link-account.ts'
import { NoAddress, type Person, personOf } from './person.ts'
import { findLinked, insertRedeemed } from './store.ts'

/** A session of the provider, and its person. */
export type ProvingSession = { session: string; userId: string }

/** The outcome of a sign-in, the cookies to set and, for the log, the reason of a failure or an internal error. */
type Ending = {
  window: string
  outcome: IssuerOutcome
  cookies: string[]
  reason?: string
  /** What the issuer said, for the log. */
  said?: IssuerError
  fault?: unknown
  /** The page of this server to which the browser returns; undefined in a popup. */
  back?: string | undefined
  /** The session of a proof. */
  proves?: ProvingSession | undefined
}

/** An error in the words of the issuer. */
type IssuerError = { error: string; error_description: string | undefined }

export type IssuerSignIn = ReturnType<typeof createIssuerSignIn>

/** Sign-in by an OpenID Connect issuer: the code flow with PKCE, state and nonce, and always an account selection. */
export function createIssuerSignIn(deps: Deps) {
  const { db, secrets, publicUrl, clock } = deps
  const issuer = createIssuer(deps.issuer, deps.log)
  const secure = publicUrl.startsWith('https:')
  const pendingSignIns = createPendingSignIns({ db, secret: secrets.current, secure, clock })
  return {
    /** Returns the redirect URL to the issuer and the cookies of the pending sign-in. Throws IssuerUnavailable. */
    async start(
      { window, back, proves }: Pick<PendingSignIn, 'window' | 'back' | 'proves'>,
      callback: URL,
      cookie: string | undefined,
    ): Promise<{ url: URL; cookies: string[] }> {
      const configuration = await issuer.configuration()
      const pending: PendingSignIn = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
        window,
        ...(back !== undefined && { back }),
        ...(proves && { proves }),
        begunAt: clock().getTime(),
      }
      const metadata = configuration.serverMetadata()
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: callback.href,
        scope: 'openid email profile',
        ...(proves ? reauthenticationOf(metadata) : promptOf(metadata)),
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      })
      return { url, cookies: await pendingSignIns.store(pending, cookie) }
    },

    /** Signs in the person of the issuer's response. */
    async finish(answer: URL, cookie: string | undefined, client: FastifyRequest): Promise<Ending> {
      const state = answer.searchParams.get('state') ?? ''
      const pending = await pendingSignIns.find(cookie, state)
      const end = (
        outcome: IssuerOutcome,
        rest: Partial<Pick<Ending, 'cookies' | 'reason' | 'said' | 'fault'>> = {},
      ): Ending => ({
        ...rest,
        window: pending?.window ?? '',
        back: pending?.back,
        proves: pending?.proves,
        outcome,
        cookies: [pendingSignIns.clear(state), ...(rest.cookies ?? [])],
      })
      if (pending === null)
        return end('expired', { reason: 'this browser began no sign-in, or too long ago' })
      // Before the request to the issuer, so that only one of several concurrent requests sends it.
      if (!(await pendingSignIns.redeem(pending)))
        return end('expired', { reason: 'this sign-in was finished before' })

      const granted = await redeemCode(issuer, answer, pending, deps.log)
      if ('outcome' in granted) return end(granted.outcome, granted)
      try {
        if (pending.proves) return end(await prove(deps, granted, pending.proves, pending.begunAt))
        const linked = await linkAccount(deps, granted)
        if ('refusal' in linked) return end(linked.refusal, { reason: refusals[linked.refusal] })
        const { userId } = linked
        if (await deps.secondSteps.isNeeded(userId))
          return end('second-factor', { cookies: [await deps.secondSteps.begin(userId)] })
        return end('signed-in', { cookies: await deps.openSession(userId, client) })
      } catch (fault) {
        if (fault instanceof AppError && fault.code === 'registration_closed') return end('closed')
        return end('failed', { fault })
      }
    },
  }
}

type Deps = {
  db: Kysely<Schema>
  secrets: Secrets
  publicUrl: string
  clock: () => Date
  log: Logger
  issuer: IssuerSettings
  /** The issuer of the local provider's ID tokens. */
  localIssuer: string
  registrationPolicy?: RegistrationPolicy | undefined
  onTakeover?: TakeoverHook | undefined
  /** Opens a session for a client, and returns its cookies. */
  openSession: (userId: string, client: FastifyRequest) => Promise<string[]>
  /** Records a proof in a session. */
  recordProof: (session: ProvingSession) => Promise<void>
  /** If two-step sign-in is on, the issuer is only the first step. */
  secondSteps: Pick<SecondSteps, 'isNeeded' | 'begin'>
}

/** How much the clocks of the issuer and of this server may differ. */
const SKEW_MS = 60_000

/** Records a proof if the issuer's person is that of the session, and was authenticated again if the issuer says when. */
async function prove(
  deps: Deps,
  person: Person,
  session: ProvingSession,
  begunAt: number,
): Promise<IssuerOutcome> {
  if ((await findLinked(deps.db, person)) !== session.userId) return 'other-account'
  if (await deps.secondSteps.isNeeded(session.userId)) return 'second-factor'
  const { authenticatedAt } = person
  if (authenticatedAt && authenticatedAt.getTime() < begunAt - SKEW_MS) return 'not-asked'
  await deps.recordProof(session)
  return 'proven'
}

/** Why a person of the issuer gets no account here, for the log. */
const refusals = {
  unverified: 'the address has an account here, and the issuer has not verified it',
  taken: 'the address belongs to another user of the issuer',
}

/** Exchanges the code of the issuer's response for a person or an outcome. The reason contains no token, code or claim. */
async function redeemCode(
  issuer: Issuer,
  answer: URL,
  { state, nonce, verifier }: PendingSignIn,
  log: Logger,
): Promise<Person | Pick<Ending, 'outcome' | 'reason' | 'said'>> {
  try {
    const tokens = await issuer.redeem(answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    return await personOf(tokens, (error) =>
      log.warn({ reason: reasonOf(error) }, 'the issuer gave no user info'),
    )
  } catch (error) {
    if (error instanceof IssuerUnavailable) return { outcome: 'unavailable', reason: error.message }
    if (error instanceof NoAddress) return { outcome: 'no-address', reason: error.message }
    const said = issuerErrorOf(error)
    if (said) return { outcome: outcomes[said.error] ?? 'refused', reason: said.error, said }
    return { outcome: 'failed', reason: reasonOf(error) }
  }
}

/**
 * Returns why a response of the issuer is no good, for the log: the error and what it is about, such as the claim or the status of a
 * proxy's page. The causes of these are left out, because they may quote a response with tokens.
 */
export function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  if (!(cause instanceof Error)) return `${String(error)}${statusOf(cause)}`
  return `${String(error)}: ${cause.message}${statusOf(cause.cause)}`
}

const statusOf = (response: unknown): string =>
  response instanceof Response ? ` (${response.status}, ${response.headers.get('content-type')})` : ''

/** What the errors of an issuer mean for the person; any other: it refuses this server. */
const outcomes: { [error: string]: IssuerOutcome } = {
  access_denied: 'cancelled',
  temporarily_unavailable: 'unavailable',
  server_error: 'unavailable',
}

const DESCRIPTION_MAX = 500

/** Returns the error in an issuer's response, if it is one. */
function issuerErrorOf(error: unknown): IssuerError | undefined {
  if (error instanceof openid.WWWAuthenticateChallengeError)
    return { error: 'invalid_client', error_description: undefined }
  if (!(error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError))
    return undefined
  return {
    error: error.error.slice(0, DESCRIPTION_MAX),
    error_description: error.error_description?.slice(0, DESCRIPTION_MAX),
  }
}

/** The state of a sign-in while the person is at the issuer. It is in an encrypted cookie, so only that browser can finish it. */
type PendingSignIn = {
  state: string
  nonce: string
  verifier: string
  /** The name by which the opener recognizes the popup. */
  window: string
  /** The page to return to, if the sign-in has no popup. */
  back?: string
  /** The session whose person proves who they are, instead of signing in. */
  proves?: ProvingSession
  /** When it began, in milliseconds. */
  begunAt: number
}

const LIFETIME_SECONDS = 10 * 60
/** Longer than a sign-in may take, so that clock skew does not accept one twice. */
const REDEEMED_MS = 60 * 60_000
const PATH = '/api/auth/google'
/** The maximum number of open popups in a browser. Each adds about 600 bytes to the request headers. */
const PENDING_MAX = 5

/** Stores each pending sign-in in its own encrypted, HTTP-only cookie for ten minutes. */
function createPendingSignIns({ db, secret, secure, clock }: Settings) {
  const prefix = `${secure ? '__Secure-' : ''}milepost.google.`
  const nameOf = (state: string) => prefix + hashOfToken(state, 'hex').slice(0, 16)
  const deleting = (name: string) => `${name}=; Max-Age=0; ${attributes}`
  const attributes = `Path=${PATH}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  const key = new Uint8Array(hkdfSync('sha256', secret.providerKey, 'milepost', 'round trips', 32))

  return {
    /** Returns the cookie of a pending sign-in, and cookies that delete older ones beyond the limit. */
    async store(pending: PendingSignIn, cookies: string | undefined): Promise<string[]> {
      const now = Math.floor(clock().getTime() / 1000)
      const sealed = await new EncryptJWT(pending)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(now + LIFETIME_SECONDS)
        .encrypt(key)
      const others = Object.keys(readCookies(cookies)).filter((name) => name.startsWith(prefix))
      return [
        ...(others.length < PENDING_MAX ? [] : others.map(deleting)),
        `${nameOf(pending.state)}=${sealed}; Max-Age=${LIFETIME_SECONDS}; ${attributes}`,
      ]
    },

    /** Returns the pending sign-in of a state; null if it does not exist, has expired, or is not ours. */
    async find(cookies: string | undefined, state: string): Promise<PendingSignIn | null> {
      const sealed = readCookies(cookies)[nameOf(state)]
      if (!sealed) return null
      try {
        const { payload } = await jwtDecrypt<PendingSignIn>(sealed, key, {
          contentEncryptionAlgorithms: ['A256GCM'],
          keyManagementAlgorithms: ['dir'],
          requiredClaims: ['exp'],
          currentDate: clock(),
        })
        return payload
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },

    /** Redeems a pending sign-in; returns false if any process redeemed it before. */
    redeem({ state }: PendingSignIn): Promise<boolean> {
      const forgetAt = new Date(clock().getTime() + REDEEMED_MS)
      return insertRedeemed(db, { stateHash: hashOfToken(state, 'hex'), forgetAt })
    },

    /** Returns the cookie that deletes the pending sign-in of a state. */
    clear: (state: string) => deleting(nameOf(state)),
  }
}

type Settings = { db: Kysely<Schema>; secret: Secret; secure: boolean; clock: () => Date }
