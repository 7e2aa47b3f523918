import type { Kysely } from 'kysely'
import * as openid from 'openid-client'
import type { GoogleOutcome } from '#contract/google.ts'
import type { Schema } from '#server/database/rows.ts'
import type { TakeoverHook } from '#server/identity/identity.ts'
import { admit } from './admit.ts'
import { type Issuer, IssuerUnavailable } from './issuer.ts'
import { type Person, personOf } from './person.ts'
import type { RoundTrip, RoundTrips } from './round-trip.ts'

/** How a sign-in ended, the cookies that follow from it, and for the log why it failed, or our own fault. */
export type Ending = {
  window: string
  outcome: GoogleOutcome
  cookies: string[]
  reason?: string
  fault?: unknown
}

export type GoogleService = ReturnType<typeof createGoogleService>

/** Sign-in by an OpenID Connect issuer: the code flow with PKCE, state and nonce, always asking which account. */
export function createGoogleService({ db, issuer, roundTrips, onTakeover, openSession }: Deps) {
  return {
    /** Where to send the window, and the cookie that it needs to come back. Throws IssuerUnavailable. */
    async start(window: string, callback: URL): Promise<{ address: URL; cookie: string }> {
      const configuration = await issuer.configuration()
      const trip: RoundTrip = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
        window,
      }
      const address = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: callback.href,
        scope: 'openid email profile',
        prompt: 'select_account',
        state: trip.state,
        nonce: trip.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(trip.verifier),
        code_challenge_method: 'S256',
      })
      return { address, cookie: await roundTrips.keep(trip) }
    },

    /** Signs in whom the answer of the issuer, at the given address, speaks of. */
    async finish(answer: URL, cookie: string | undefined, address: string): Promise<Ending> {
      const trip = await roundTrips.find(cookie)
      const end = (
        outcome: GoogleOutcome,
        rest: Partial<Pick<Ending, 'cookies' | 'reason' | 'fault'>> = {},
      ): Ending => ({
        ...rest,
        window: trip?.window ?? '',
        outcome,
        cookies: [roundTrips.drop(), ...(rest.cookies ?? [])],
      })
      if (trip === null) return end('failed', { reason: 'this browser began no sign-in, or too long ago' })
      // Before the issuer is asked, so that of any number that come at one moment only one gets there.
      if (!(await roundTrips.redeem(trip)))
        return end('failed', { reason: 'this sign-in was finished before' })

      const word = await hear(issuer, answer, trip)
      if ('outcome' in word) return end(word.outcome, word)
      try {
        const userId = await admit({ db, onTakeover }, word)
        if (userId === null) return end('failed', { reason: 'the address belongs to another user' })
        return end('signed-in', { cookies: await openSession(userId, address) })
      } catch (fault) {
        return end('failed', { fault })
      }
    },
  }
}

type Deps = {
  db: Kysely<Schema>
  issuer: Issuer
  roundTrips: RoundTrips
  onTakeover: TakeoverHook | undefined
  /** Opens a session for a client at an address, and returns its cookies. */
  openSession: (userId: string, address: string) => Promise<string[]>
}

/** What the issuer answered: a person, or how else it ended. The reason names no token, code or claim. */
async function hear(
  issuer: Issuer,
  answer: URL,
  { state, nonce, verifier }: RoundTrip,
): Promise<Person | { outcome: GoogleOutcome; reason: string }> {
  try {
    const configuration = await issuer.configuration()
    const tokens = await openid.authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    return await personOf(configuration, tokens)
  } catch (error) {
    if (error instanceof IssuerUnavailable) return { outcome: 'unavailable', reason: error.message }
    if (error instanceof openid.AuthorizationResponseError)
      return { outcome: error.error === 'access_denied' ? 'cancelled' : 'failed', reason: error.error }
    return { outcome: 'failed', reason: String(error) }
  }
}
