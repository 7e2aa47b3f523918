import { createParser } from 'eventsource-parser'
import type { Event } from '#contract/events.ts'
import { EVENTS_PATH } from '#contract/events-path.ts'
import { openStream } from '#web/api/client.ts'
import { readToken } from '#web/api/token.ts'

/** The server says something every 25 seconds. After this long without a word the connection is dead. */
const SILENCE_MS = 60_000
/** One that stood so long counts as a success: what follows its end is no further failure. */
const LASTING_MS = 10_000
/** How often it is looked at whether it is alive, and whether the token was renewed. */
const LOOK_MS = 10_000
const STEPS_MS = [500, 2_000, 5_000, 10_000]
const LONGEST_MS = 30_000

/** The stream of events, opened again whenever it ends, with the token that is then the person's. */
export class EventStream {
  readonly #hear: (event: Event) => void
  #connection = new AbortController()
  #token: string | null = null
  #lastWord = 0
  #wake = () => {}

  constructor(hear: (event: Event) => void) {
    this.#hear = hear
  }

  /** Reads until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => {
      this.#connection.abort()
      this.#wake()
    })
    for (let failures = 0; !signal.aborted; failures += 1) {
      const begun = Date.now()
      const seconds = await this.#readOnce()
      if (Date.now() - begun > LASTING_MS) failures = 0
      if (!signal.aborted) await this.#pause(seconds ? seconds * 1000 : (STEPS_MS[failures] ?? LONGEST_MS))
    }
  }

  /** Makes sure now that it stands, and with the token of now. */
  hurry(): void {
    this.#wake()
    this.#cutUnlessHeardFor(SILENCE_MS / 2)
  }

  /** Leaves whatever stands for a new connection: the network is another one. */
  restart(): void {
    this.#wake()
    this.#connection.abort()
  }

  /** Ends a connection that is silent, or stands in the name of a token that is not the one of now: the next follows. */
  #cutUnlessHeardFor(milliseconds: number): void {
    const isSilent = Date.now() - this.#lastWord > milliseconds
    if (isSilent || (this.#token !== null && this.#token !== readToken())) this.#connection.abort()
  }

  /** Reads one connection to its end, and answers how many seconds the server asks to wait, if it does. */
  async #readOnce(): Promise<number | undefined> {
    const connection = new AbortController()
    this.#connection = connection
    this.#token = null
    this.#lastWord = Date.now()
    const watch = setInterval(() => this.#cutUnlessHeardFor(SILENCE_MS), LOOK_MS)
    try {
      if (readToken() === null) return undefined
      const response = await openStream(EVENTS_PATH, connection.signal)
      this.#token = readToken()
      if (!response.ok) return Number(response.headers.get('retry-after')) || undefined
      await this.#read(response)
    } catch (error) {
      // A connection that fails or breaks off is a TypeError: it is tried again.
      if (!connection.signal.aborted && !(error instanceof TypeError)) throw error
    } finally {
      clearInterval(watch)
      connection.abort()
    }
    return undefined
  }

  async #read({ body }: Response): Promise<void> {
    const parser = createParser({ onEvent: ({ data }) => this.#hear(JSON.parse(data) as Event) })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      this.#lastWord = Date.now()
      parser.feed(part.value)
    }
  }

  /** Waits about so long, so that not all come at once to a server that has just started; or until it is woken. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const alarm = setTimeout(resolve, milliseconds * (0.5 + Math.random()))
      this.#wake = () => {
        clearTimeout(alarm)
        resolve()
      }
    })
  }
}
