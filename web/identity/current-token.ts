import { TOKEN_SECONDS } from '#contract/sign-in.ts'

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

  /** Measured from when this page obtained the token: the times in the token are the server's, and this clock may be wrong. */
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
