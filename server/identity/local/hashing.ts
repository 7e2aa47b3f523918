import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { AppError } from '#server/platform/errors.ts'

/** What a hash of argon2id takes: KiB of memory, passes over it, lanes. */
export type HashCost = { memoryCost: number; timeCost: number; parallelism: number }

/** Memory and passes of RFC 9106's second recommendation; one lane, because one thread computes it. */
export const HASH_COST: HashCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

/** By argon2id; the same emails typed on another system (composed or not) are the same password. */
export const hashPassword = (password: string, cost = HASH_COST) => hash(password.normalize('NFKC'), cost)

/** Puts a new hash in the place of one, wherever it is still the one that counts. */
type Replace = (known: string, renewed: string) => Promise<void>

/** Hashes and compares. Where a password is right and its hash of a lower cost, it gets a new one; a wrong one takes as long. */
export function createPasswords(cost: HashCost, replace: Replace) {
  return {
    hash: (password: string) => hashPassword(password, cost),
    async verify({ hash: known, password }: { hash: string; password: string }): Promise<boolean> {
      const isRight = await verify(known, password.normalize('NFKC'))
      if (!isWeaker(known, cost)) return isRight
      const renewed = await hashPassword(password, cost)
      if (isRight) await replace(known, renewed)
      return isRight
    },
  }
}

function isWeaker(known: string, { memoryCost, timeCost }: HashCost): boolean {
  const found = parseOptions(known)
  return found.memoryCost < memoryCost || found.timeCost < timeCost
}

/** Lets a few pieces of work run at once and a bounded number wait. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/**
 * A gate for hashing: each hash takes a core and 64 MiB, so a flood of them waits or is turned away. One core and one of
 * the four threads that files and images wait for as well are left to everybody else.
 */
export function createGate(
  { atOnce, waiting }: { atOnce: number; waiting: number } = {
    atOnce: Math.max(1, Math.min(3, availableParallelism() - 1)),
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
