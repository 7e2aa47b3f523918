import type { User } from '#contract/identity.ts'
import { TOKEN_SECONDS } from '#contract/token-lifetime.ts'
import { Listeners } from '#web/ui/listeners.ts'

/**
 * The signed-in user of this page. `isUnreachable`: a stored session is waiting for a server that does not respond. `hasEnded`:
 * the session ended without a sign-out in this page. `isLeaving`: the person has signed out, and the page is about to load another.
 */
export type SessionState = {
  status: 'loading' | 'signed-in' | 'signed-out'
  user: User | null
  isUnreachable: boolean
  hasEnded?: boolean
  isLeaving?: boolean
}

export const LOADING: SessionState = { status: 'loading', user: null, isUnreachable: false }
export const SIGNED_OUT: SessionState = { status: 'signed-out', user: null, isUnreachable: false }
export const ENDED: SessionState = { ...SIGNED_OUT, hasEnded: true }
export const LEAVING: SessionState = { ...SIGNED_OUT, isLeaving: true }

/** The session state as an external store for React. A change of user is reported before subscribers are notified. */
export class SessionStore {
  readonly #onUserChange: (previous: SessionState) => void
  readonly #listeners = new Listeners()
  #state = LOADING

  constructor(onUserChange: (previous: SessionState) => void) {
    this.#onUserChange = onUserChange
  }

  read = (): SessionState => this.#state

  readonly subscribe = this.#listeners.add

  set(next: SessionState): void {
    const previous = this.#state
    this.#state = next
    if (next.user?._id !== previous.user?._id) this.#onUserChange(previous)
    this.#listeners.call()
  }

  /** Resolves at the next change of state. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        stop()
        resolve()
      })
    })
  }
}

const LIFETIME_MS = TOKEN_SECONDS * 1000
const RENEW_AFTER_MS = LIFETIME_MS - 10 * 60_000
const EXPIRED_AFTER_MS = LIFETIME_MS - 30_000
const RETRY_MS = 15_000

/** The application token of this page, with a timer that fires when the token is due for renewal. */
export class CurrentToken {
  readonly #onDue: () => void
  #value: string | null = null
  #obtainedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(onDue: () => void) {
    this.#onDue = onDue
  }

  get value(): string | null {
    return this.#value
  }

  /**
   * Measured from when this page obtained the token: the times in the token are the server's, and the local clock may be wrong.
   */
  get isDue(): boolean {
    return this.#value !== null && Date.now() - this.#obtainedAt >= RENEW_AFTER_MS
  }

  /** Whether the token has expired or is about to, so that a request with it would be refused. */
  get isExpired(): boolean {
    return Date.now() - this.#obtainedAt >= EXPIRED_AFTER_MS
  }

  /** Sets a token that was read from storage, whose age is unknown. */
  restore(value: string | null): void {
    this.#value = value
  }

  /** Sets a token that was just obtained. */
  set(value: string): void {
    this.#value = value
    this.#obtainedAt = Date.now()
    this.#startTimer(RENEW_AFTER_MS)
  }

  clear(): void {
    this.#value = null
    this.stopTimer()
  }

  stopTimer(): void {
    clearTimeout(this.#timer)
  }

  /** Schedules another attempt after a renewal that failed. */
  retrySoon(): void {
    this.#startTimer(RETRY_MS)
  }

  #startTimer(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onDue, milliseconds)
  }
}
