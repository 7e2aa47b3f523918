import { AppError } from '#server/platform/errors.ts'

/** The maximum number of concurrent uploads to one process: per person, and in total. */
const OF_ONE_PERSON = 4
const OF_ALL = 128
/** The maximum number of bytes on the disk of files that are not stored yet. */
const BYTES_OF_ALL = 4_000_000_000

/** The time limit of an upload: this minimum, or the time that it takes at the minimum speed. */
const LEAST_MS = 5 * 60_000
const BYTES_PER_MS = 50
/** The time after the start of an upload before its speed is checked. */
const GRACE_MS = 60_000

/** An upload that holds a slot, from its first byte until its file is stored. */
export type Slot = {
  /** Counts bytes that were written to the disk. May end other uploads, or this one, to free space. */
  count: (bytes: number) => void
  /** Reports that all bytes have arrived. Nothing ends the upload afterwards. */
  arrived: () => void
  /** Aborted, with the error for its person, if it is too slow or has to free space. */
  ended: AbortSignal
  release: () => void
}

type Held = {
  person: string
  name: string
  size: number
  bytes: number
  since: number
  isComplete: boolean
  end: AbortController
}

/**
 * Limits the uploads to one process. A person is refused because of their own uploads. If all uploads together are too many or
 * too large, the largest uploads of the person who holds the most are evicted, so that nobody can block others.
 */
export function createUploadSlots(
  { ofAll = OF_ALL, bytesOfAll = BYTES_OF_ALL } = {},
  now: () => number = () => performance.now(),
) {
  const held = new Set<Held>()

  /** Throws `too_many_requests` if the person sends too much at a time, and `unavailable` if everybody does. */
  function acquire(person: string, { name, size }: { name: string; size: number }): Slot {
    if (ofPerson(person).length >= OF_ONE_PERSON)
      throw refused('too_many_requests', 'Your earlier uploads are still being processed.')
    if (held.size >= ofAll) makeSlot(person)
    const own: Held = {
      person,
      name,
      size,
      bytes: 0,
      since: now(),
      isComplete: false,
      end: new AbortController(),
    }
    held.add(own)
    return {
      count(bytes) {
        own.bytes += bytes
        makeRoom(own)
      },
      arrived() {
        own.isComplete = true
      },
      ended: own.end.signal,
      release: () => held.delete(own),
    }
  }

  const ofPerson = (person: string) => [...held].filter((one) => one.person === person)

  /** Ends the slowest upload of the person with the most uploads, unless the requester would then have as many. */
  function makeSlot(requester: string): void {
    const count = (one: Held) => ofPerson(one.person).length
    const [victim] = endable().sort((a, b) => count(b) - count(a) || progressOf(a) - progressOf(b))
    if (!victim || count(victim) <= ofPerson(requester).length + 1) throw busy()
    end(victim, busy())
  }

  /** Ends the largest uploads of the person with the most bytes on the disk until the total is within the limit. */
  function makeRoom(latest: Held): void {
    const all = [...held].reduce((sum, { bytes }) => sum + bytes, 0)
    if (all <= bytesOfAll || held.size === 1) return
    const bytesOf = (person: string) => ofPerson(person).reduce((sum, { bytes }) => sum + bytes, 0)
    const [victim] = endable().sort((a, b) => bytesOf(b.person) - bytesOf(a.person) || b.bytes - a.bytes)
    end(victim ?? latest, busy())
  }

  const endable = () => [...held].filter(({ isComplete }) => !isComplete)

  function end(one: Held, error: AppError): void {
    held.delete(one)
    one.end.abort(error)
  }

  /** Returns the ratio of received to expected bytes at this time. Above 1 is fast enough. */
  function progressOf({ bytes, size, since }: Held): number {
    const allowed = Math.max(LEAST_MS, size / BYTES_PER_MS)
    const elapsed = now() - since - GRACE_MS
    return elapsed <= 0 ? Infinity : bytes / size / Math.min(1, elapsed / allowed)
  }

  /** Ends uploads that are too slow, including stalled ones. Call it every few seconds. */
  function endSlow(): void {
    for (const one of endable())
      if (progressOf(one) < 1) end(one, new AppError('too_slow', `“${one.name}” took too long to arrive`))
  }

  return { acquire, endSlow, isIdle: () => held.size === 0 }
}

export type UploadSlots = ReturnType<typeof createUploadSlots>

const refused = (code: 'too_many_requests' | 'unavailable', reason: string) =>
  new AppError(code, `${reason} Please try again in a moment.`, { retryAfter: 5 })

const busy = () => refused('unavailable', 'The server is busy.')
