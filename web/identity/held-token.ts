import { TOKEN_SECONDS } from '#contract/sign-in.ts'

const LIFETIME_MS = TOKEN_SECONDS * 1000
const RENEW_AT_MS = LIFETIME_MS - 10 * 60_000
const SPENT_AT_MS = LIFETIME_MS - 30_000
const RETRY_MS = 15_000

/** The application token as this page last knew it, with an alarm for when it is due to be renewed. */
export class HeldToken {
  readonly #whenDue: () => void
  #value: string | null = null
  #since = 0
  #alarm: ReturnType<typeof setTimeout> | undefined

  constructor(whenDue: () => void) {
    this.#whenDue = whenDue
  }

  get value(): string | null {
    return this.#value
  }

  /** Its age is counted here, because a clock that is wrong still runs: the token's own times are the server's. */
  get isDue(): boolean {
    return this.#value !== null && Date.now() - this.#since >= RENEW_AT_MS
  }

  /** Not worth sending any more. */
  get isSpent(): boolean {
    return Date.now() - this.#since >= SPENT_AT_MS
  }

  /** Takes over one that was read from storage, of unknown age. */
  find(value: string | null): void {
    this.#value = value
  }

  /** Takes over one that was just obtained. */
  hold(value: string): void {
    this.#value = value
    this.#since = Date.now()
    this.#setAlarm(RENEW_AT_MS)
  }

  drop(): void {
    this.#value = null
    this.silence()
  }

  silence(): void {
    clearTimeout(this.#alarm)
  }

  remindSoon(): void {
    this.#setAlarm(RETRY_MS)
  }

  #setAlarm(milliseconds: number): void {
    clearTimeout(this.#alarm)
    this.#alarm = setTimeout(this.#whenDue, milliseconds)
  }
}
