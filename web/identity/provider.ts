import { GOOGLE_MESSAGE, GOOGLE_START, type GoogleMessage, type GoogleOutcome } from '#contract/google.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'

/** The user who is signed in to an identity provider, in the shape that the token exchange accepts. */
export type ProvidedIdentity = {
  idToken: string
  email: string | null
  name: string | null
  photoURL: string | null
  firebaseUid: string
}

/** A sign-in with Google that did not succeed. */
export class GoogleFailure extends Error {
  override name = 'GoogleFailure'
  readonly outcome: Exclude<PopupOutcome, 'signed-in'>

  constructor(outcome: Exclude<PopupOutcome, 'signed-in'>, options?: ErrorOptions) {
    super(`the sign-in with Google was ${outcome}`, options)
    this.outcome = outcome
  }
}

/** The browser's side of an identity provider. Refusals are ApiErrors. */
export type Provider = {
  /** Preloads the provider's code, so that a click can open a popup immediately. */
  prepare(): void
  signIn(email: string, password: string): Promise<void>
  signUp(name: string, email: string, password: string): Promise<void>
  /** Opens a popup, so it must be called within the click event. Throws GoogleFailure. */
  signInWithGoogle(): Promise<void>
  /** Returns who is signed in to the provider, or null. */
  identity(): Promise<ProvidedIdentity | null>
  signOut(): Promise<void>
}

/** This server as its own identity provider. Its session is an HttpOnly cookie. */
export const localProvider: Provider = {
  prepare() {},

  async signIn(email, password) {
    await request('signInAtProvider', { body: { email, password } })
  },

  async signUp(name, email, password) {
    await request('signUpAtProvider', { body: { name, email, password } })
  },

  async signInWithGoogle() {
    const outcome = await openGooglePopup()
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
      throw unreachable(error) // not this server's response: the sign-in page of a hotel's network, for example
    }
  },

  async signOut() {
    await request('signOutAtProvider', {}, { keepalive: true })
  },
}

/** Returns whether the person who is signed in to the local provider has confirmed their email. Throws ApiError. */
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

const WIDTH = 500
const HEIGHT = 640
const POLL_MS = 250
/** The popup's message may arrive after it is seen to be closed. */
const GRACE_MS = 1_500

/** How a sign-in popup ended; a blocked one never opened. */
type PopupOutcome = GoogleOutcome | 'blocked'

/** Signs in with Google in a popup. Must be called within the click event, or browsers block the popup. */
function openGooglePopup(): Promise<PopupOutcome> {
  const name = randomName()
  const url = `${GOOGLE_START}?${new URLSearchParams({ window: name })}`
  const popup = window.open(url, '_blank', `popup,${centredOnWindow()}`)
  return popup ? outcomeOf(popup, name) : Promise.resolve('blocked')
}

function outcomeOf(popup: Window, name: string): Promise<PopupOutcome> {
  return new Promise((resolve) => {
    const ended = new AbortController()
    let closedFor = 0
    const watch = setInterval(() => {
      closedFor = popup.closed ? closedFor + POLL_MS : 0
      if (closedFor > GRACE_MS) end('cancelled')
    }, POLL_MS)

    function end(outcome: PopupOutcome) {
      clearInterval(watch)
      ended.abort()
      resolve(outcome)
    }

    const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
      const isOurs = origin === location.origin && source === popup
      if (isOurs && isMessage(data) && data.window === name) end(data.outcome)
    }
    addEventListener('message', onMessage, { signal: ended.signal })
  })
}

function isMessage(data: unknown): data is GoogleMessage {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === GOOGLE_MESSAGE
}

/** crypto.randomUUID does not exist on plain http. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the popup's features: its size, and a position centred on this window. */
function centredOnWindow(): string {
  const left = Math.round(window.screenX + (window.outerWidth - WIDTH) / 2)
  const top = Math.round(window.screenY + (window.outerHeight - HEIGHT) / 2)
  return `width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`
}
