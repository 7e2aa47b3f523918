import { ApiError, unreachable } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { openGoogle, type WindowOutcome } from './google-window.ts'

/** What an identity provider says of the person who is signed in to it; sent as it is to be exchanged. */
export type ProvidedIdentity = {
  idToken: string
  email: string | null
  name: string | null
  photoURL: string | null
  firebaseUid: string
}

/** A sign-in with Google that led to nobody. */
export class GoogleFailure extends Error {
  override name = 'GoogleFailure'
  readonly outcome: Exclude<WindowOutcome, 'signed-in'>

  constructor(outcome: Exclude<WindowOutcome, 'signed-in'>, options?: ErrorOptions) {
    super(`the sign-in with Google was ${outcome}`, options)
    this.outcome = outcome
  }
}

/** The identity provider as the browser uses it. Refusals are ApiErrors. */
export type Provider = {
  /** Begins to load what it takes to sign in, so that a click can open a window at once. */
  prepare(): void
  signIn(email: string, password: string): Promise<void>
  signUp(name: string, email: string, password: string): Promise<void>
  /** Opens a window, so that it is to be called in the very click; throws GoogleFailure. */
  signInWithGoogle(): Promise<void>
  /** Who is signed in to the provider; null when nobody is. */
  identity(): Promise<ProvidedIdentity | null>
  signOut(): Promise<void>
}

/** The provider that is this server itself; its session is a cookie that scripts cannot read. */
export const localProvider: Provider = {
  prepare() {},

  async signIn(email, password) {
    await request('signInAtProvider', { body: { email, password } })
  },

  async signUp(name, email, password) {
    await request('signUpAtProvider', { body: { name, email, password } })
  },

  async signInWithGoogle() {
    const outcome = await openGoogle()
    if (outcome !== 'signed-in') throw new GoogleFailure(outcome)
  },

  async identity() {
    const answer = await request('readIdToken', {}).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    })
    if (answer === null) return null
    try {
      return identityOf(answer.token)
    } catch (error) {
      throw unreachable(error) // another server responded: the sign-in page of a hotel's network, say
    }
  },

  async signOut() {
    await request('signOutAtProvider', {}, { keepalive: true })
  },
}

/** Returns whether the person who is signed in to the local provider has confirmed their email. Throws ApiError. */
export async function isAddressConfirmed(): Promise<boolean> {
  const { token } = await request('readIdToken', {})
  return claimsOf(token).email_verified === true
}

type Claims = { sub: string; email?: string; email_verified?: boolean; name?: string; picture?: string }

/** Reads the claims of an ID token. They prove nothing here; the server verifies them. */
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
