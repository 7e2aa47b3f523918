import { AppError, overloaded } from '#server/platform/errors.ts'

type Limits = {
  /** The maximum number of concurrent tasks. */
  atOnce: number
  /** The maximum number of waiting tasks; by default, none may wait. */
  waiting?: number
  /** The maximum number of running and waiting tasks of one client. */
  each: number
}

/** Waits for a slot, and returns the function that releases it. Throws `unavailable`. */
export type Acquire = (client: string) => Promise<() => void>

/** Limits concurrent work of one kind, in total and for each client. */
export function limitConcurrency({ atOnce, waiting = 0, each }: Limits): Acquire {
  const held = new Map<string, number>()
  const queue: (() => void)[] = []
  let running = 0

  function release(client: string): void {
    const left = (held.get(client) ?? 0) - 1
    if (left > 0) held.set(client, left)
    else held.delete(client)
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  return async (client) => {
    const own = held.get(client) ?? 0
    if (own >= each)
      throw overloaded(
        'Your earlier requests of this kind are still being answered. Please wait for them.',
        5,
      )
    const isFull = running >= atOnce
    if (isFull && queue.length >= waiting) throw overloaded(undefined, 5)
    held.set(client, own + 1)
    // A released slot goes to the first in the queue.
    if (isFull) await new Promise<void>((begin) => queue.push(begin))
    else running += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      release(client)
    }
  }
}

/** Runs a task of a client when it is its turn. */
export type FairQueue = <T>(client: string, work: () => Promise<T>) => Promise<T>

type QueueLimits = {
  /** The maximum number of waiting and running tasks. */
  longest: number
  /** The maximum for one client. */
  each: number
  /** The maximum waiting time. A task that has waited longer is refused when its turn comes. Unlimited by default. */
  timeoutMs?: number
  /** The error message for a client with too many tasks. */
  tooMany?: string
}

type Task = { since: number; begin: () => Promise<void>; refuse: (error: AppError) => void }

/**
 * A queue that runs one task at a time, in a round-robin between clients: the first task of a client waits for at most one
 * task of each other client. Throws `unavailable` if `longest` tasks are queued or a task has waited too long, and
 * `too_many_requests` if a client already has `each` tasks queued.
 */
export function createFairQueue(
  {
    longest,
    each,
    timeoutMs = Infinity,
    tooMany = 'Your earlier requests are still being processed.',
  }: QueueLimits,
  now = () => performance.now(),
): FairQueue {
  /** The waiting and running tasks by client, in the order of turns. */
  const queued = new Map<string, Task[]>()
  let length = 0
  let isRunning = false

  async function run() {
    isRunning = true
    for (let [next] = queued; next; [next] = queued) {
      const [client, tasks] = next
      const [task] = tasks
      if (task && now() - task.since > timeoutMs) task.refuse(overloaded())
      else await task?.begin()
      tasks.shift()
      length -= 1
      // The client moves to the end of the queue.
      queued.delete(client)
      if (tasks.length > 0) queued.set(client, tasks)
    }
    isRunning = false
  }

  return async <T>(client: string, work: () => Promise<T>) => {
    const tasks = queued.get(client) ?? []
    if (tasks.length >= each) throw refused('too_many_requests', tooMany)
    if (length >= longest) throw refused('unavailable', 'The server is busy.')
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const begin = async () => {
      try {
        resolve(await work())
      } catch (error) {
        reject(error)
      }
    }
    tasks.push({ since: now(), begin, refuse: reject })
    queued.set(client, tasks)
    length += 1
    if (!isRunning) void run()
    return promise
  }
}

const refused = (code: 'too_many_requests' | 'unavailable', reason: string) =>
  new AppError(code, `${reason} Please try again in a moment.`, { retryAfter: 5 })
