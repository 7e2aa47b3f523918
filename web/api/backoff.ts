type BackoffOptions = {
  /** The delay after the first failure, the second and so on, in milliseconds. */
  steps: readonly number[]
  /** The delay after every further failure. */
  longest: number
  /** Randomizes each delay between 50 and 150 percent, so that clients do not all retry at the same moment. */
  jitter?: boolean
}

/** The delay between retries: it grows with each failure, and `wake` ends it early. */
export class Backoff {
  readonly #options: BackoffOptions
  #wake = () => {}

  constructor(options: BackoffOptions) {
    this.#options = options
  }

  /** Waits for the delay after `failures` earlier failures; `milliseconds` overrides that delay. */
  wait(failures: number, milliseconds?: number): Promise<void> {
    const { steps, longest, jitter } = this.#options
    const delay = milliseconds ?? steps[failures] ?? longest
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, jitter ? delay * (0.5 + Math.random()) : delay)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  wake(): void {
    this.#wake()
  }
}
