import type { User } from '#contract/identity.ts'
import { isPassing } from '#web/api/query-client.ts'
import { HeldToken } from './held-token.ts'
import { Patience } from './patience.ts'
import type { SessionDeps } from './session-deps.ts'
import { ENDED, LOADING, NOBODY, type SessionState, SessionStore } from './session-state.ts'
import { endEverywhere, leaveProvider } from './sign-out.ts'
import { authenticationFailed, logoutFailed } from './texts.ts'

/**
 * Keeps the session of this page: from the provider's word to an application token, renewed before it runs out,
 * in step with the other tabs, until somebody signs out or the server refuses it.
 */
export class SessionManager {
  readonly #deps: SessionDeps
  readonly #store: SessionStore
  readonly #held = new HeldToken(() => void this.#renew())
  readonly #patience = new Patience()
  /** Raised by whatever makes answers that are still under way worthless. */
  #epoch = 0
  #renewal: Promise<void> | null = null
  /** A sign-out that has begun, until `signOut` shows it: whether server and provider answered. */
  #leaving: Promise<boolean> | null = null

  constructor(deps: SessionDeps) {
    this.#deps = deps
    this.#store = new SessionStore((previous) => deps.onPerson(previous))
  }

  /** The state, for React to follow. */
  get store(): Pick<SessionStore, 'read' | 'subscribe'> {
    return this.#store
  }

  /** Takes up the stored session. Where none is stored, nothing is asked of the server. */
  start(): void {
    this.#held.find(this.#deps.tokens.read())
    if (this.#held.value === null) this.#store.become(NOBODY)
    else void this.#restore()
  }

  stop(): void {
    this.#epoch += 1
    this.#held.silence()
    this.#patience.wake()
  }

  /** Throws ApiError where the provider refuses, another Error where its word could not be exchanged. */
  async signIn(email: string, password: string): Promise<void> {
    await this.#deps.provider.signIn(email, password)
    await this.#enter()
  }

  async signUp(name: string, email: string, password: string): Promise<void> {
    await this.#deps.provider.signUp(name, email, password)
    await this.#enter()
  }

  /** Throws GoogleFailure, or another Error where the provider's word could not be exchanged. */
  async signInWithGoogle(): Promise<void> {
    await this.#deps.provider.signInWithGoogle()
    await this.#enter()
  }

  /**
   * Ends the session at the server and in this browser, at once and also when the page is left in the very next
   * moment; this page goes on showing the person until `signOut`.
   */
  leave(): void {
    if (this.#leaving) return
    this.#epoch += 1
    const token = this.#deps.tokens.read()
    this.#held.drop()
    this.#deps.tokens.store(null)
    this.#leaving = endEverywhere(this.#deps, token)
  }

  /** Ends the session at the server and here, and returns whether the server did; if not, it is said. */
  async signOut(): Promise<boolean> {
    this.leave()
    const ended = this.#leaving
    this.#leaving = null
    this.#end(NOBODY)
    if (await ended) return true
    this.#deps.say(logoutFailed)
    return false
  }

  /**
   * The server refused this token. One that was replaced meanwhile says nothing about the session, nor does
   * a stored one that is being exchanged: it may well have run out since it was stored.
   */
  async refused(sent: string): Promise<void> {
    if (sent !== this.#deps.tokens.read() || this.#status === 'loading') return
    this.#end()
    await leaveProvider(this.#deps)
  }

  /** To be awaited before a call with the token, which is renewed when due and waited for once it has run out. */
  async freshen(): Promise<void> {
    this.keepUp()
    if (this.#store.read() === LOADING) await this.#store.change()
    if (this.#status !== 'signed-in' || !this.#held.isDue) return
    const isSpent = this.#held.isSpent
    const renewed = this.#renew()
    if (isSpent) await renewed
  }

  /** Follows what another tab did to the stored token. */
  keepUp(): void {
    const token = this.#deps.tokens.read()
    if (token === this.#held.value) return
    if (token === null) return this.#end()
    this.#epoch += 1
    this.#held.hold(token)
    void (this.#status === 'loading' ? this.#restore() : this.#adopt())
  }

  /** Asks a server that did not answer once more, now. */
  retry(): void {
    this.#patience.wake()
  }

  get #status(): SessionState['status'] {
    return this.#store.read().status
  }

  #signedIn(user: User): void {
    this.#leaving = null
    this.#store.become({ status: 'signed-in', user, isUnreachable: false })
  }

  /** Somebody who was not signed in stays as they were: their session, if there was one, has not ended now. */
  #end(state = this.#status === 'signed-out' ? this.#store.read() : ENDED): void {
    this.#epoch += 1
    this.#patience.wake()
    this.#held.drop()
    this.#deps.tokens.store(null)
    this.#store.become(state)
  }

  /** Exchanges the provider's word for a token. Nobody at the provider deps nobody here. */
  async #obtain(epoch: number): Promise<void> {
    const identity = await this.#deps.provider.identity()
    if (epoch !== this.#epoch) return
    if (identity === null) return this.#end()
    const { token, user } = await this.#deps.exchange(identity)
    if (epoch !== this.#epoch) return
    this.#deps.tokens.store(token)
    this.#held.hold(token)
    this.#signedIn(user)
  }

  async #enter(): Promise<void> {
    this.#epoch += 1
    const epoch = this.#epoch
    try {
      await this.#deps.exclusively(() => this.#obtain(epoch))
    } catch (cause) {
      await this.#fail()
      throw new Error(authenticationFailed, { cause })
    }
    if (this.#status !== 'signed-in') throw new Error('the provider forgot who had just signed in')
  }

  /** Turns the stored session into a person. A server that cannot answer is asked again and again. */
  async #restore(): Promise<void> {
    this.#epoch += 1
    const epoch = this.#epoch
    for (let failures = 0; epoch === this.#epoch; failures += 1) {
      try {
        return await this.#deps.exclusively(() => this.#obtain(epoch))
      } catch (error) {
        if (epoch !== this.#epoch) return
        if (!isPassing(error)) return this.#fail()
        if (failures === 1) this.#reportUnreachable(error)
        await this.#patience.pause(failures)
      }
    }
  }

  #reportUnreachable(error: unknown): void {
    this.#store.become({ ...LOADING, isUnreachable: true })
    if (error instanceof Error) this.#deps.say(error.message)
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
      await this.#deps.exclusively(async () => {
        this.keepUp() // another tab may have renewed it while this one waited
        if (epoch === this.#epoch) await this.#obtain(epoch)
      })
    } catch (error) {
      if (epoch !== this.#epoch) return
      if (!isPassing(error)) return this.#fail()
      this.#held.remindSoon()
    }
  }

  async #adopt(): Promise<void> {
    const epoch = this.#epoch
    try {
      const user = await this.#deps.readMe()
      if (epoch === this.#epoch) this.#signedIn(user)
    } catch (error) {
      if (epoch !== this.#epoch || this.#status === 'signed-in') return
      if (isPassing(error)) await this.#restore()
    }
  }

  async #fail(): Promise<void> {
    this.#end()
    this.#deps.say(authenticationFailed)
    await leaveProvider(this.#deps)
  }
}
