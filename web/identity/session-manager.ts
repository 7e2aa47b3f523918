import type { User } from '#contract/identity.ts'
import { ApiError, withCause } from '#web/api/api-error.ts'
import { Backoff } from '#web/api/backoff.ts'
import { isTransient } from '#web/api/query-client.ts'
import type { ProvidedIdentity, Provider } from './provider.ts'
import {
  CurrentToken,
  ENDED,
  LEAVING,
  LOADING,
  type SessionState,
  SessionStore,
  SIGNED_OUT,
} from './session-state.ts'

const authenticationFailed = 'Authentication failed. Please try again.'
const logoutFailed = 'Logout failed'
const cookieRefused =
  'This browser did not keep the cookie of the sign-in. Allow cookies for this site, and open it at its usual address.'

/** Thrown if a sign-in succeeded and the browser did not keep it. The message says what to do. */
export class SignInNotKept extends Error {
  override name = 'SignInNotKept'
}

/**
 * Manages the session of this page: exchanges the provider's ID token for an application token, renews that before it expires and
 * synchronizes it with other tabs, until the user signs out or the server rejects it.
 */
export class SessionManager {
  readonly #deps: SessionDeps
  readonly #store: SessionStore
  readonly #token = new CurrentToken(() => void this.#renew())
  readonly #backoff = new Backoff({ steps: [1_000, 2_000, 4_000, 8_000], longest: 15_000 })
  /** Incremented by every event that invalidates responses still in flight. */
  #epoch = 0
  #renewal: Promise<void> | null = null
  /** Fetches the user of a token that another tab has stored. */
  #adoption: Promise<User> | null = null
  /** The email of an account that this page has created or may have created: signing up with it again signs in. */
  #signedUp: string | null = null

  constructor(deps: SessionDeps) {
    this.#deps = deps
    this.#store = new SessionStore((previous) => deps.onUserChange(previous))
  }

  /** The session state, as an external store for React. */
  get store(): Pick<SessionStore, 'read' | 'subscribe'> {
    return this.#store
  }

  /** Restores the stored session. Without one, no request is sent, unless the browser stores nothing. */
  start(): void {
    this.#token.restore(this.#deps.tokens.read())
    if (this.#token.value !== null) void this.#restore()
    else if (this.#deps.tokens.areKept()) this.#store.set(SIGNED_OUT)
    else void this.#askProvider()
  }

  stop(): void {
    this.#epoch += 1
    this.#token.stopTimer()
    this.#backoff.wake()
  }

  /**
   * Throws ApiError if the provider refuses, or this server because of the account (`isAccountRefused`); another Error if the ID
   * token could not be exchanged, which has already been shown.
   */
  async signIn(email: string, password: string): Promise<void> {
    await this.#deps.provider.signIn(email, password)
    await this.startSession()
  }

  /** Throws as `signIn` does. If an attempt fails after the account was created, the next one continues with that account. */
  async signUp(name: string, email: string, password: string): Promise<void> {
    try {
      await this.#deps.provider.signUp(name, email, password)
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === 'conflict'
      if (!isTaken || this.#signedUp !== email) {
        if (isTransient(error)) this.#signedUp = email
        throw error
      }
      await this.#deps.provider.signIn(email, password)
    }
    this.#signedUp = email
    await this.startSession()
  }

  /** Throws IssuerFailure, ApiError as `signIn` does, or another Error when the ID token could not be exchanged. */
  async signInWithIssuer(inThisTab = false): Promise<void> {
    await this.#deps.provider.signInWithIssuer(inThisTab)
    await this.startSession()
  }

  /**
   * Ends the session here and at the server, even if the page is unloaded meanwhile. Returns whether the server confirmed it; shows
   * an error if not.
   */
  signOut(): Promise<boolean> {
    return this.#endAs(SIGNED_OUT)
  }

  /** Like `signOut`, for a page that loads another one then: its screens do not redirect until `stay`. */
  leave(): Promise<boolean> {
    return this.#endAs(LEAVING)
  }

  /** The page was not left, or Back shows it again: its screens redirect as after `signOut`. */
  stay(): void {
    if (this.#store.read().isLeaving) this.#store.set(SIGNED_OUT)
  }

  /**
   * Ends the session after the server rejected its token. The rejection is ignored if that token has been replaced since, or is a
   * stored one that is being exchanged, because it may have expired in storage.
   */
  async refused(sent: string): Promise<void> {
    if (sent !== this.#deps.tokens.read() || this.#status === 'loading') return
    this.#end()
    await signOutOfProvider(this.#deps)
  }

  /**
   * Await this before every authorized request: it renews a token that is due, and waits for the renewal if it has expired. If
   * another tab has stored a token, it waits until its owner is known.
   */
  async renewIfDue(): Promise<void> {
    this.syncWithStorage()
    if (this.#store.read() === LOADING) await this.#store.nextChange()
    await this.#adoption?.catch(() => undefined)
    if (this.#status !== 'signed-in' || !this.#token.isDue) return
    const isExpired = this.#token.isExpired
    const renewed = this.#renew()
    if (isExpired) await renewed
  }

  /** Applies changes of the stored token by other tabs. */
  syncWithStorage(): void {
    const token = this.#deps.tokens.read()
    if (token === this.#token.value) return
    if (token === null) return this.#end()
    this.#epoch += 1
    this.#token.set(token)
    void (this.#status === 'loading' ? this.#restore() : this.#adoptToken(token))
  }

  /** Shows changes of the signed-in user. Returns whether the same user is still signed in. */
  updateUser(user: User): boolean {
    const isSame = this.#store.read().user?._id === user._id
    if (isSame) this.#signedIn(user)
    return isSame
  }

  /** Retries an unreachable server immediately. */
  retry(): void {
    this.#backoff.wake()
  }

  get #status(): SessionState['status'] {
    return this.#store.read().status
  }

  #signedIn(user: User): void {
    this.#store.set({ status: 'signed-in', user, isUnreachable: false })
  }

  /** If the user was already signed out, keeps that state, because their session did not end now. */
  #end(state = this.#status === 'signed-out' ? this.#store.read() : ENDED): void {
    this.#epoch += 1
    this.#backoff.wake()
    this.#token.clear()
    this.#deps.tokens.store(null)
    this.#store.set(state)
  }

  async #endAs(state: SessionState): Promise<boolean> {
    const token = this.#deps.tokens.read()
    this.#end(state)
    if (await endEverywhere(this.#deps, token)) return true
    this.#deps.showError(logoutFailed)
    return false
  }

  /** Exchanges the provider's ID token for an application token. Without a session at the provider, the person is signed out here. */
  async #exchangeToken(epoch: number, keepAccount = false): Promise<void> {
    const identity = await this.#deps.provider.identity()
    if (epoch !== this.#epoch) return
    if (identity === null) return this.#end()
    const { token, user } = await this.#deps.exchange(keepAccount ? { ...identity, keepAccount } : identity)
    if (epoch !== this.#epoch) return
    this.#deps.tokens.store(token)
    this.#token.set(token)
    this.#signedIn(user)
  }

  /**
   * Starts a session for the person who has just signed in at the provider; with `keepAccount` also for an account that is being
   * deleted. Throws as `signIn` does.
   */
  async startSession(keepAccount = false): Promise<void> {
    this.#epoch += 1
    const epoch = this.#epoch
    try {
      await this.#deps.withTokenLock(() => this.#exchangeToken(epoch, keepAccount))
    } catch (cause) {
      if (isAccountRefused(cause)) {
        this.#end()
        // A person who keeps the account continues with the same proof, because a code is accepted once.
        if (!isLeaving(cause)) await signOutOfProvider(this.#deps)
        throw cause
      }
      await this.#fail(cause)
      throw new Error(authenticationFailed, { cause })
    }
    if (this.#status === 'signed-in') return
    // Another tab has signed out of the provider, or the browser has refused its cookie. If another tab has signed somebody in,
    // that session is adopted.
    if (this.#deps.tokens.read() !== null) throw new Error(authenticationFailed)
    this.#deps.showError(authenticationFailed)
    throw new SignInNotKept(`${authenticationFailed} ${cookieRefused}`)
  }

  /** The provider has its session in a cookie, which some browsers keep although they store nothing else. */
  async #askProvider(): Promise<void> {
    const epoch = this.#epoch
    const identity = await this.#deps.provider.identity().catch(() => null)
    if (epoch !== this.#epoch) return
    if (identity === null) this.#store.set(SIGNED_OUT)
    else await this.#restore()
  }

  /** Restores the user of the stored session. Retries an unreachable server with an increasing delay. */
  async #restore(): Promise<void> {
    this.#epoch += 1
    const epoch = this.#epoch
    for (let failures = 0; epoch === this.#epoch; failures += 1) {
      try {
        return await this.#deps.withTokenLock(() => this.#exchangeToken(epoch))
      } catch (error) {
        if (epoch !== this.#epoch) return
        if (!isTransient(error)) return this.#fail(error)
        if (failures === 1) this.#reportUnreachable(error)
        await this.#backoff.wait(failures)
      }
    }
  }

  #reportUnreachable(error: unknown): void {
    this.#store.set({ ...LOADING, isUnreachable: true })
    if (error instanceof Error) this.#deps.showError(error.message)
  }

  #renew(): Promise<void> {
    this.#renewal ??= this.#renewOnce().finally(() => {
      this.#renewal = null
    })
    return this.#renewal
  }

  async #renewOnce(): Promise<void> {
    const epoch = this.#epoch
    try {
      await this.#deps.withTokenLock(async () => {
        this.syncWithStorage() // another tab may have renewed it in the meantime
        if (epoch === this.#epoch) await this.#exchangeToken(epoch)
      })
    } catch (error) {
      if (epoch !== this.#epoch) return
      if (!isTransient(error)) return this.#fail(error)
      this.#token.retrySoon()
    }
  }

  /** Loads the user of a token that another tab stored, who may differ from the shown one. */
  async #adoptToken(token: string): Promise<void> {
    const epoch = this.#epoch
    for (let failures = 0; epoch === this.#epoch; failures += 1) {
      try {
        this.#adoption = this.#deps.readMe(token)
        const user = await this.#adoption
        if (epoch === this.#epoch) this.#signedIn(user)
        return
      } catch (error) {
        if (epoch !== this.#epoch || !isTransient(error)) return
        if (this.#status !== 'signed-in') return this.#restore()
        await this.#backoff.wait(failures)
      }
    }
  }

  async #fail(cause: unknown): Promise<void> {
    this.#end()
    this.#deps.showError(
      isRefusedToken(cause) ? authenticationFailed : withCause(authenticationFailed, cause),
    )
    await signOutOfProvider(this.#deps)
  }
}

/** Whether the sign-in was refused because the account is being deleted. */
export const isLeaving = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'account_leaving'

/** The codes with which this server refuses an account that its provider accepted. The message states the reason. */
export const accountRefusals = new Set<string>([
  'account_leaving',
  'account_awaiting',
  'account_suspended',
  'registration_closed',
])

/** Whether the provider accepted the credentials, but this server refused the account. */
export const isAccountRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && accountRefusals.has(error.code)

/** Whether the server refused an ID token; its sentence, to sign in, adds nothing. */
const isRefusedToken = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** The dependencies of the session manager. */
export type SessionDeps = {
  provider: Provider
  exchange(identity: ProvidedIdentity & { keepAccount?: boolean }): Promise<{ token: string; user: User }>
  readMe(token: string): Promise<User>
  /** Revokes an application token, even while the page is being unloaded. */
  revoke(token: string): Promise<void>
  tokens: { read(): string | null; store(token: string | null): void; areKept(): boolean }
  /** Runs one task at a time across all tabs of this browser. */
  withTokenLock(work: () => Promise<void>): Promise<void>
  /** Called, before any subscriber, when another user or nobody is signed in. */
  onUserChange(previous: SessionState): void
  showError(text: string): void
}

/** Ends a session at the server and at the provider. Returns whether both confirmed it. */
async function endEverywhere(deps: SessionDeps, token: string | null): Promise<boolean> {
  const confirmed = await Promise.all([
    token === null || succeeds(deps.revoke(token)),
    succeeds(deps.provider.signOut()),
  ])
  return confirmed.every(Boolean)
}

/** Signs out only of the provider, and shows an error if that fails. */
async function signOutOfProvider(deps: SessionDeps): Promise<void> {
  if (!(await succeeds(deps.provider.signOut()))) deps.showError(logoutFailed)
}

/** Returns whether a sign-out succeeded; a session that had already ended counts as success. */
async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    return error instanceof ApiError && error.status === 401
  }
}
