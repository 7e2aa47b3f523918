import type { Event } from '#contract/events.ts'
import { EVENTS_PATH } from '#contract/events-path.ts'
import { Backoff } from '#web/api/backoff.ts'
import { openStream } from '#web/api/client.ts'
import { readToken } from '#web/api/token.ts'

/** The server sends a heartbeat every 25 seconds. After this long without data the connection is dead. */
const SILENCE_MS = 60_000
/** A connection that lasted this long resets the backoff. */
const STABLE_MS = 10_000
/** How often the connection and its token are checked. */
const CHECK_MS = 10_000

/** The stream of server events. It reconnects whenever it ends, with the user's current token. */
export class EventStream {
  readonly #onEvent: (event: Event) => void
  #connection = new AbortController()
  #token: string | null = null
  #lastDataAt = 0
  readonly #backoff = new Backoff({ steps: [500, 2_000, 5_000, 10_000], longest: 30_000, jitter: true })

  constructor(onEvent: (event: Event) => void) {
    this.#onEvent = onEvent
  }

  /** Reads until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => {
      this.#connection.abort()
      this.#backoff.wake()
    })
    for (let failures = 0; !signal.aborted; failures += 1) {
      const openedAt = Date.now()
      const seconds = await this.#readOnce()
      if (Date.now() - openedAt > STABLE_MS) failures = 0
      if (!signal.aborted) await this.#backoff.wait(failures, seconds && seconds * 1000)
    }
  }

  /** Checks immediately that the connection is alive and uses the current token. */
  checkNow(): void {
    this.#backoff.wake()
    this.#abortIfSilentFor(SILENCE_MS / 2)
  }

  /** Replaces the connection, after a change of network. */
  restart(): void {
    this.#backoff.wake()
    this.#connection.abort()
  }

  /** Aborts a connection that is silent or uses an outdated token, so that the next one is opened. */
  #abortIfSilentFor(milliseconds: number): void {
    const isSilent = Date.now() - this.#lastDataAt > milliseconds
    if (isSilent || (this.#token !== null && this.#token !== readToken())) this.#connection.abort()
  }

  /** Reads one connection to its end. Returns the seconds of a Retry-After header, if any. */
  async #readOnce(): Promise<number | undefined> {
    const connection = new AbortController()
    this.#connection = connection
    this.#token = null
    this.#lastDataAt = Date.now()
    const watch = setInterval(() => this.#abortIfSilentFor(SILENCE_MS), CHECK_MS)
    try {
      if (readToken() === null) return undefined
      const response = await openStream(EVENTS_PATH, connection.signal)
      this.#token = readToken()
      if (!response.ok) return Number(response.headers.get('retry-after')) || undefined
      await this.#read(response)
    } catch (error) {
      // A connection that fails or breaks off throws a TypeError and is retried.
      if (!connection.signal.aborted && !(error instanceof TypeError)) throw error
    } finally {
      clearInterval(watch)
      connection.abort()
    }
    return undefined
  }

  async #read({ body }: Response): Promise<void> {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let unread = ''
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      this.#lastDataAt = Date.now()
      const blocks = (unread + part.value).split('\n\n')
      unread = blocks.pop() ?? ''
      for (const block of blocks) this.#deliver(block)
    }
  }

  /** Delivers the event of a block in this server's format: one line of data, or a comment as a heartbeat. */
  #deliver(block: string): void {
    const [, data] = /^data: (.*)$/m.exec(block) ?? []
    if (data !== undefined) this.#onEvent(JSON.parse(data) as Event)
  }
}
