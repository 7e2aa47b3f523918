import type { IssuerOutcome } from '#contract/sign-in.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { invitationOfPage } from './redirect.ts'

/** The user who is signed in to an identity provider, with the fields of the token exchange. */
export type ProvidedIdentity = {
  idToken: string
  email: string | null
  name: string | null
  photoURL: string | null
  firebaseUid: string
}

/** The outcome of a sign-in popup; a blocked one never opened. */
export type PopupOutcome = IssuerOutcome | 'blocked'

/** Thrown if a sign-in through an issuer did not succeed. */
export class IssuerFailure extends Error {
  override name = 'IssuerFailure'
  readonly outcome: Exclude<PopupOutcome, 'signed-in'>

  constructor(outcome: Exclude<PopupOutcome, 'signed-in'>, options?: ErrorOptions) {
    super(`the sign-in through the issuer was ${outcome}`, options)
    this.outcome = outcome
  }
}

/** The client of an identity provider. Refusals are ApiErrors. */
export type Provider = {
  /** Preloads the provider's code, so that a click can open a popup immediately. */
  prepare(): void
  signIn(email: string, password: string): Promise<void>
  signUp(name: string, email: string, password: string): Promise<void>
  /** Opens a popup, so it must be called within the click event; with `inThisTab` leaves this page. Throws IssuerFailure. */
  signInWithIssuer(inThisTab?: boolean): Promise<void>
  /** Returns the user who is signed in to the provider, or null. */
  identity(): Promise<ProvidedIdentity | null>
  signOut(): Promise<void>
}

/** A connection that is dead must not keep the lock of all tabs on the token, for which their calls wait. */
export const TOKEN_TIMEOUT_MS = 30_000

/** This server as the identity provider. Its session is an HttpOnly cookie. */
export const localProvider: Provider = {
  prepare() {
    loadPopup().catch(() => undefined) // signing in retries the load and reports a failure
  },

  async signIn(email, password) {
    await request('signInAtProvider', { body: { email, password } })
  },

  async signUp(name, email, password) {
    await request('signUpAtProvider', { body: { name, email, password, ...invitationOfPage() } })
  },

  async signInWithIssuer(inThisTab = false) {
    const { openIssuerPopup, signInInThisTab } = await loadPopup()
    const outcome = await (inThisTab ? signInInThisTab() : openIssuerPopup())
    if (outcome !== 'signed-in') throw new IssuerFailure(outcome)
  },

  async identity() {
    const answer = await request('readIdToken', {}, { timeoutMs: TOKEN_TIMEOUT_MS }).catch(
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return null
        throw error
      },
    )
    if (answer === null) return null
    try {
      return identityOf(answer.token)
    } catch (error) {
      throw unreachable(error) // not this server's response, but for example that of a captive portal
    }
  },

  async signOut() {
    await request('signOutAtProvider', {}, { keepalive: true })
  },
}

async function loadPopup() {
  try {
    return await import('./issuer-popup.ts')
  } catch (error) {
    throw unreachable(error)
  }
}

/** Returns whether the user of the local provider has confirmed their email. Throws ApiError. */
export async function isEmailConfirmed(): Promise<boolean> {
  const { token } = await request('readIdToken', {})
  return claimsOf(token).email_verified === true
}

type Claims = { sub: string; email?: string; email_verified?: boolean; name?: string; picture?: string }

/** Decodes the claims of an ID token without verifying them; the server does that. */
function claimsOf(idToken: string): Claims {
  const [, payload = ''] = idToken.split('.')
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims
}

function identityOf(idToken: string): ProvidedIdentity {
  const claims = claimsOf(idToken)
  return {
    idToken,
    email: claims.email ?? null,
    name: claims.name ?? null,
    photoURL: claims.picture ?? null,
    firebaseUid: claims.sub,
  }
}
