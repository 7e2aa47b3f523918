import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#server/platform/errors.ts'

/** argon2id at OWASP's minimum: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Passwords by argon2id; the same letters typed on another system (composed or not) are the same password. */
export const passwords = {
  hash: (password: string) => hash(password.normalize('NFKC'), COST),
  verify: (given: { hash: string; password: string }) => verify(given.hash, given.password.normalize('NFKC')),
}

/** Lets a few pieces of work run at once and a bounded number wait. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** A gate for hashing: each hash takes a core and 19 MiB, so a flood of them waits or is turned away. */
export function createGate(
  { atOnce, waiting }: { atOnce: number; waiting: number } = {
    atOnce: Math.min(4, availableParallelism()),
    waiting: 64,
  },
): Gate {
  let running = 0
  const queue: (() => void)[] = []

  async function enter() {
    if (running < atOnce) {
      running += 1
      return
    }
    if (queue.length >= waiting)
      throw new AppError('unavailable', 'Too many people are signing in right now. Please try again.', {
        retryAfter: 2,
      })
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  function leave() {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
