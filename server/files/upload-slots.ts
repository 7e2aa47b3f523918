import { AppError } from '#server/platform/errors.ts'

/** How many files one process takes in at a time: of one person, and of all. */
const OF_ONE_PERSON = 4
const OF_ALL = 128
/** How many bytes of files that are not stored yet may lie on the disk. */
const BYTES_OF_ALL = 4_000_000_000

/** How long a file may take to arrive: at least this, and no longer than at this speed. */
const LEAST_MS = 5 * 60_000
const BYTES_PER_MS = 50
/** For so long nothing is expected of a new upload. */
const GRACE_MS = 60_000

/** An upload that holds a slot, from its first byte until its file is stored. */
export type Slot = {
  /** Counts bytes that were written to the disk. Other uploads, or this one, may be ended to make room. */
  count: (bytes: number) => void
  /** All bytes are here: nothing ends it from now on. */
  arrived: () => void
  /** Aborted, with the error for its person, when it is too slow or has to make room. */
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
 * The uploads that one process takes in. A person is refused for uploads of their own; where all of them together are too many or
 * too large, the largest uploads are evicted from the person who holds the most, so that nobody can block others.
 */
export function createUploadSlots(
  { ofAll = OF_ALL, bytesOfAll = BYTES_OF_ALL } = {},
  now: () => number = () => performance.now(),
) {
  const held = new Set<Held>()

  /** Throws `too_many_requests` where the person sends too much at a time, and `unavailable` where everybody does. */
  function acquire(person: string, { name, size }: { name: string; size: number }): Slot {
    if (ofPerson(person).length >= OF_ONE_PERSON)
      throw refused('too_many_requests', 'Your earlier uploads are still in work.')
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

  /** Ends the slowest upload of the person who has the most, unless the newcomer would then have as many. */
  function makeSlot(newcomer: string): void {
    const count = (one: Held) => ofPerson(one.person).length
    const [victim] = endable().sort((a, b) => count(b) - count(a) || progressOf(a) - progressOf(b))
    if (!victim || count(victim) <= ofPerson(newcomer).length + 1) throw busy()
    end(victim, busy())
  }

  /** Ends the largest uploads of the person with the most bytes here, as long as there are too many. */
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

  /** Which share has arrived of what should have by now; more than 1 is fast enough. */
  function progressOf({ bytes, size, since }: Held): number {
    const allowed = Math.max(LEAST_MS, size / BYTES_PER_MS)
    const elapsed = now() - since - GRACE_MS
    return elapsed <= 0 ? Infinity : bytes / size / Math.min(1, elapsed / allowed)
  }

  /** To be called every few seconds: ends uploads of which too little has arrived, also those that stand still. */
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
