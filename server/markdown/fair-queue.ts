import { AppError, overloaded } from '#server/platform/errors.ts'

/** Runs work for a person when it is their turn. */
export type FairQueue = <T>(person: string, work: () => Promise<T>) => Promise<T>

type Bounds = {
  /** How much waits at most. */
  longest: number
  /** How much of one person waits at most. */
  each: number
  /** What has waited longer than this is refused when its turn comes. */
  timeoutMs: number
}

type Turn = { since: number; begin: () => Promise<unknown>; refuse: () => void }

/**
 * Runs work one piece at a time, taking turns between people, so that nobody waits for all the work of another. Refuses
 * with `unavailable` what would wait too long, and with `too_many_requests` a person with too much in the queue.
 */
export function createFairQueue(
  { longest, each, timeoutMs }: Bounds,
  now = () => performance.now(),
): FairQueue {
  /** The waiting work by person, in the order of turns. */
  const waiting = new Map<string, Turn[]>()
  let length = 0
  let isRunning = false

  function next(): Turn | undefined {
    const [first] = waiting
    if (!first) return undefined
    const [person, [turn, ...rest]] = first
    waiting.delete(person)
    if (rest.length > 0) waiting.set(person, rest)
    length -= 1
    return turn
  }

  async function work() {
    if (isRunning) return
    isRunning = true
    for (let turn = next(); turn; turn = next()) {
      if (now() - turn.since > timeoutMs) turn.refuse()
      else await turn.begin()
    }
    isRunning = false
  }

  return <T>(person: string, task: () => Promise<T>) => {
    const own = waiting.get(person) ?? []
    if (own.length >= each)
      return Promise.reject(
        new AppError('too_many_requests', 'Your earlier texts are still being saved. Please try again.', {
          retryAfter: 5,
        }),
      )
    if (length >= longest) return Promise.reject(overloaded())
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const begin = () => task().then(resolve, reject)
    waiting.set(person, [...own, { since: now(), begin, refuse: () => reject(overloaded()) }])
    length += 1
    void work()
    return promise
  }
}
