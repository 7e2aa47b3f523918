import type { Event } from '#contract/events.ts'
import { AppError } from '#server/platform/errors.ts'
import { EventStream, type Reader } from './event-stream.ts'

/** A further stream of one person ends their oldest. Each browser opens one. */
const PER_PERSON_MAX = 20
const STUCK_MS = 60_000
const RETRY_SECONDS = 30

/** The open streams of this process. */
export class Streams {
  readonly #max: number
  readonly #now: () => number
  /** The streams of each person, oldest first. */
  readonly #byPerson = new Map<string, Set<EventStream>>()
  #count = 0
  #isClosed = false

  constructor(max: number, now: () => number) {
    this.#max = max
    this.#now = now
  }

  get count(): number {
    return this.#count
  }

  /** Opens a stream. Throws `unavailable` if there are too many already or this process is shutting down. */
  open(reader: Reader): EventStream {
    if (this.#isClosed || this.#count >= this.#max)
      throw new AppError('unavailable', 'The server has too many listeners right now', {
        retryAfter: RETRY_SECONDS,
      })
    const theirs = this.#byPerson.get(reader.userId) ?? new Set()
    const [oldest] = theirs
    if (theirs.size >= PER_PERSON_MAX) oldest?.finish()
    const stream = new EventStream(reader, this.#now)
    this.#byPerson.set(reader.userId, theirs.add(stream))
    this.#count += 1
    stream.once('close', () => this.#drop(stream))
    return stream
  }

  /** Sends an event to all streams of a person. */
  publish(userId: string, event: Event): void {
    for (const stream of this.#byPerson.get(userId) ?? []) stream.publish(event)
  }

  all(): EventStream[] {
    return [...this.#byPerson.values()].flatMap((theirs) => [...theirs])
  }

  /** Ends the streams whose session has ended. */
  endSessions(hasEnded: (sessionId: string) => boolean): void {
    for (const stream of this.all()) if (hasEnded(stream.reader.sessionId)) stream.finish()
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
    const theirs = this.#byPerson.get(stream.reader.userId)
    if (!theirs?.delete(stream)) return
    this.#count -= 1
    if (theirs.size === 0) this.#byPerson.delete(stream.reader.userId)
  }
}
