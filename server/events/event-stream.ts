import { Readable } from 'node:stream'
import type { Event } from '#contract/events.ts'

/** At most so many events wait for a slow reader; beyond that one `ready` replaces them all. */
const WAITING_MAX = 100
const READY: Event = { type: 'ready' }

/** The person who reads a stream, and when their token expires, in milliseconds since the epoch. */
export type Reader = { userId: string; sessionId: string; until: number }

/**
 * The events of one reader as `text/event-stream`. It is written only as fast as it is read; each different event waits
 * once, so that a reader who does not read costs no more than a page of memory.
 */
export class EventStream extends Readable {
  readonly reader: Reader
  readonly #waiting = new Map<string, Event>()
  readonly #now: () => number
  #isAsked = false
  #lastAsked: number

  constructor(reader: Reader, now: () => number) {
    super({ highWaterMark: 1 }) // one push is enough: what follows waits in `#waiting`, which is bounded
    this.reader = reader
    this.#now = now
    this.#lastAsked = now()
    this.publish(READY)
  }

  publish(event: Event): void {
    if (this.#waiting.has(textOf(READY))) return
    if (event.type === 'ready' || this.#waiting.size >= WAITING_MAX) {
      this.#waiting.clear()
      this.#waiting.set(textOf(READY), READY)
    } else {
      this.#waiting.set(textOf(event), event)
    }
    this.#write()
  }

  /** Writes a comment, so that proxies keep an idle connection open. */
  beat(): void {
    if (this.#isAsked) this.#push(': still here\n\n')
  }

  /** For how many milliseconds the reader has not taken what was written. */
  get stuckFor(): number {
    return this.#isAsked ? 0 : this.#now() - this.#lastAsked
  }

  /** Ends the stream; destroys it if its reader does not read, because the end would not arrive either. */
  finish(): void {
    if (this.#isAsked) this.push(null)
    else this.destroy()
  }

  override _read(): void {
    this.#isAsked = true
    this.#lastAsked = this.#now()
    this.#write()
  }

  #write(): void {
    if (!this.#isAsked || this.#waiting.size === 0) return
    const text = [...this.#waiting.keys()].join('')
    this.#waiting.clear()
    this.#push(text)
  }

  #push(text: string): void {
    this.#isAsked = false
    this.push(text)
  }
}

const textOf = (event: Event) => `data: ${JSON.stringify(event)}\n\n`
