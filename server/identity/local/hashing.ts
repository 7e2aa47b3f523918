import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { AppError } from '#server/platform/api/errors.ts'
import { type Client, FairQueue } from '#server/platform/limits/fair-queue.ts'

/** The cost of an argon2id hash: memory in KiB, passes, lanes. */
export type HashCost = { memoryCost: number; timeCost: number; parallelism: number }

/** The memory and passes of RFC 9106's second recommendation. One lane, because one thread computes it. */
export const HASH_COST: HashCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

/** Hashes with argon2id. Normalizes, so that composed and decomposed characters are equal. */
export const hashPassword = (password: string, cost = HASH_COST) => hash(password.normalize('NFKC'), cost)

/** Returns whether a password matches a hash. */
export const verifyPassword = (known: string, password: string) => verify(known, password.normalize('NFKC'))

/**
 * Compares a password with a hash. Returns the hash to store from now on, which is another one if the known one has a lower cost;
 * undefined if the password is wrong, which takes the same time.
 */
export async function comparePassword(
  known: string,
  password: string,
  cost: HashCost,
): Promise<string | undefined> {
  const isRight = await verifyPassword(known, password)
  const renewed = isWeaker(known, cost) ? await hashPassword(password, cost) : known
  return isRight ? renewed : undefined
}

function isWeaker(known: string, { memoryCost, timeCost }: HashCost): boolean {
  const found = parseOptions(known)
  return found.memoryCost < memoryCost || found.timeCost < timeCost
}

/** Runs a task for somebody when it is their turn. The queue is bounded. */
export type Semaphore = <T>(client: Client, work: () => Promise<T>) => Promise<T>

/** How many of a network may be under way at a time, among them those of a whole office. */
const OF_ONE_NETWORK = 48

/**
 * Limits the concurrency of hashing: each hash takes a core and 64 MiB. One core and one of the four threads of libuv's pool,
 * which files and images also use, stay free. Throws `unavailable` or `too_many_requests` if the queue is full.
 */
export function createSemaphore(
  { atOnce, waiting }: { atOnce: number; waiting: number } = {
    atOnce: Math.max(1, Math.min(3, availableParallelism() - 1)),
    waiting: 64,
  },
): Semaphore {
  const queue = new FairQueue({ atOnce, waiting, each: OF_ONE_NETWORK })
  return async (client, work) => {
    const place = await queue.enter(client).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'unavailable' ? tooManyPeople() : error
    })
    try {
      return await work()
    } finally {
      place.release()
    }
  }
}

const tooManyPeople = () =>
  new AppError('unavailable', 'Too many people are signing in right now. Please try again.', {
    retryAfter: 2,
  })
