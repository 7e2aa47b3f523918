import { Readable } from 'node:stream'
import type { Event } from '#contract/events.ts'
import { isGranted } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { overloaded } from '#server/platform/api/errors.ts'
import { FairQueue, type Place } from '#server/platform/limits/fair-queue.ts'

/** The maximum number of streams of one person. A further stream ends the oldest. Each browser opens one. */
const PER_PERSON_MAX = 20
const STUCK_MS = 60_000
const RETRY_SECONDS = 30

/** The open streams of this process. */
export class Streams {
  readonly #queue: FairQueue
  readonly #now: () => number
  /** The streams of each person, oldest first. */
  readonly #byPerson = new Map<string, Set<EventStream>>()
  readonly #bySession = new Map<string, Set<EventStream>>()
  /** The places of the open streams. */
  readonly #places = new Map<EventStream, Place>()
  #isClosed = false

  constructor(max: number, now: () => number) {
    this.#queue = new FairQueue({ atOnce: max, each: PER_PERSON_MAX, hold: { ms: 0 } })
    this.#now = now
  }

  get count(): number {
    return this.#places.size
  }

  /**
   * Opens a stream. If there are too many already, one of the person or the network with the most of them ends. Throws `unavailable`
   * if nobody has more, or this process is shutting down.
   */
  open(reader: Reader): EventStream {
    const [oldest, ...others] = this.#byPerson.get(reader.userId) ?? []
    if (oldest && others.length + 1 >= PER_PERSON_MAX) {
      this.#drop(oldest)
      oldest.finish()
    }
    const place = this.#isClosed ? undefined : this.#queue.tryEnter(clientOf(reader))
    if (!place) throw overloaded('The server has too many listeners right now', RETRY_SECONDS)
    const stream = new EventStream(reader, this.#now)
    this.#places.set(stream, place)
    addTo(this.#byPerson, reader.userId, stream)
    addTo(this.#bySession, reader.sessionId, stream)
    place.taken.addEventListener('abort', () => stream.finish())
    stream.once('close', () => this.#drop(stream))
    return stream
  }

  /** Sends an event to all streams of a person. */
  publish(userId: string, event: Event): void {
    for (const stream of this.#byPerson.get(userId) ?? [])
      if (isFor(stream.reader, event)) stream.publish(event)
  }

  all(): EventStream[] {
    return [...this.#places.keys()]
  }

  /** Ends the streams of a session. */
  endSession(sessionId: string): void {
    for (const stream of this.#bySession.get(sessionId) ?? []) stream.finish()
  }

  /** Ends the streams whose token has expired, and those whose reader has not read for a minute. */
  sweep(): void {
    const now = this.#now()
    for (const stream of this.all()) {
      if (stream.stuckFor > STUCK_MS) stream.destroy()
      else if (stream.reader.until <= now) stream.finish()
    }
  }

  /** Ends every stream and opens no more. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.all()) stream.finish()
  }

  #drop(stream: EventStream): void {
    if (!deleteFrom(this.#byPerson, stream.reader.userId, stream)) return
    deleteFrom(this.#bySession, stream.reader.sessionId, stream)
    this.#places.get(stream)?.release()
    this.#places.delete(stream)
  }
}

function addTo(index: Map<string, Set<EventStream>>, key: string, stream: EventStream): void {
  index.set(key, (index.get(key) ?? new Set()).add(stream))
}

/** Returns whether the stream was there. */
function deleteFrom(index: Map<string, Set<EventStream>>, key: string, stream: EventStream): boolean {
  const streams = index.get(key)
  if (!streams?.delete(stream)) return false
  if (streams.size === 0) index.delete(key)
  return true
}

/** A program receives only events of the projects of its access token, and no events about its owner. */
const isFor = (reader: Reader, event: Event): boolean =>
  reader.grant === undefined || (event.type === 'project' && isGranted(reader, event.projectId))

/** The maximum number of events queued for a slow reader. Beyond it, one `ready` event replaces them all. */
const WAITING_MAX = 100
const READY: Event = { type: 'ready' }

/** The user of a stream, and when their token expires, in milliseconds since the epoch. */
export type Reader = Caller & { until: number }

/**
 * The events of one reader as `text/event-stream`, written only as fast as they are read. Each different event is queued once,
 * so that a reader who does not read costs no more than a page of memory.
 */
export class EventStream extends Readable {
  readonly reader: Reader
  readonly #waiting = new Map<string, Event>()
  readonly #now: () => number
  #isAsked = false
  #lastAsked: number

  constructor(reader: Reader, now: () => number) {
    super({ highWaterMark: 1 }) // one push is enough: further events wait in `#waiting`, which is bounded
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

  /** The time for which the reader has not read pending data, in milliseconds. */
  get stuckFor(): number {
    return this.#isAsked ? 0 : this.#now() - this.#lastAsked
  }

  /** Ends the stream. Destroys it if its reader does not read, because the end would not arrive either. */
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
