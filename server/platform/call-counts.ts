import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'

const ADDRESSES_MAX = 5_000

type Window = { count: number; until: number }

/**
 * How many calls came from each address within a window. Its time is the process's own, which nobody sets: by the
 * clock of the machine, a window from before the clock was set back would last until it has come as far again.
 */
export class CallCounts implements FastifyRateLimitStore {
  readonly #windows = new LRUCache<string, Window>({ max: ADDRESSES_MAX })

  incr(
    address: string,
    answer: (error: Error | null, counted?: { current: number; ttl: number }) => void,
    milliseconds = 60_000,
  ): void {
    const now = performance.now()
    const open = this.#windows.get(address)
    const window = open && open.until > now ? open : { count: 0, until: now + milliseconds }
    window.count += 1
    this.#windows.set(address, window)
    answer(null, { current: window.count, ttl: window.until - now })
  }

  child(): FastifyRateLimitStore {
    return new CallCounts()
  }
}
