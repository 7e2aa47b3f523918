import { AppError, overloaded } from '#server/platform/api/errors.ts'
import { type Client, FairQueue, type Place } from '#server/platform/limits/fair-queue.ts'

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
  client: Client
  name: string
  size: number
  bytes: number
  since: number
  isComplete: boolean
  place: Place
  end: AbortController
}

/**
 * Limits the uploads to one process. A person is refused because of their own uploads. If all uploads together are too many or
 * too large, the slowest or largest of whoever has most give way, so that nobody can block others.
 */
export function createUploadSlots({ ofAll = OF_ALL, bytesOfAll = BYTES_OF_ALL } = {}) {
  const held = new Set<Held>()
  const queue = new FairQueue({
    atOnce: ofAll,
    each: OF_ONE_PERSON,
    hold: { ms: 0 },
    tooMany: 'Your earlier uploads are still being processed.',
  })

  /** Throws `too_many_requests` if the person sends too much at a time, and `unavailable` if everybody does. */
  function acquire(client: Client, { name, size }: { name: string; size: number }): Slot {
    const place = queue.enterNow(client)
    const end = new AbortController()
    const since = performance.now()
    const own: Held = { client, name, size, bytes: 0, since, isComplete: false, place, end }
    held.add(own)
    const release = () => {
      held.delete(own)
      place.release()
    }
    place.taken.addEventListener('abort', release)
    return {
      count(bytes) {
        own.bytes += bytes
        place.advance(bytes)
        makeRoom(own)
      },
      arrived() {
        own.isComplete = true
        place.keep()
      },
      ended: AbortSignal.any([place.taken, end.signal]),
      release,
    }
  }

  /** Ends the largest upload of the person or network with the most bytes on the disk if the total is beyond the limit. */
  function makeRoom(latest: Held): void {
    const bytesOf = (uploads: Iterable<Held>) => [...uploads].reduce((sum, { bytes }) => sum + bytes, 0)
    if (bytesOf(held) <= bytesOfAll || held.size === 1) return
    const shareOf = ({ client }: Held) =>
      Math.max(
        bytesOf([...held].filter((one) => one.client.person === client.person)),
        bytesOf([...held].filter((one) => one.client.network === client.network)),
      )
    const [victim] = endable().sort((a, b) => shareOf(b) - shareOf(a) || b.bytes - a.bytes)
    end(victim ?? latest, overloaded(undefined, 5))
  }

  const endable = () => [...held].filter(({ isComplete }) => !isComplete)

  function end(one: Held, error: AppError): void {
    held.delete(one)
    one.place.release()
    one.end.abort(error)
  }

  /** Returns the ratio of received to expected bytes at this time. Above 1 is fast enough. */
  function progressOf({ bytes, size, since }: Held): number {
    const allowed = Math.max(LEAST_MS, size / BYTES_PER_MS)
    const elapsed = performance.now() - since - GRACE_MS
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
