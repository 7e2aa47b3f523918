import { overloaded } from '#server/platform/errors.ts'

type Limits = {
  /** How many may work at once. */
  atOnce: number
  /** How many may wait for their turn; none unless set. */
  waiting?: number
  /** How many of those who work or wait may be one client's. */
  each: number
}

/** Waits for a turn, and returns the function that ends it. Throws `unavailable`. */
export type Acquire = (client: string) => Promise<() => void>

/** Bounds how much of a kind of work is done at once, and lets no client take up all of it. */
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
    // A turn that ends is handed on, so that nobody overtakes those who wait.
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
