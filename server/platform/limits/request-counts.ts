import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'

const CLIENTS_MAX = 5_000

type Window = { count: number; until: number }

/**
 * Counts the requests of each client within a window, for a bounded number of clients. Time is the process's own, which
 * nobody sets: by the clock of the machine, a window from before the clock was set back would last until it has come as
 * far again.
 */
export class RequestCounts implements FastifyRateLimitStore {
  readonly #windows = new LRUCache<string, Window>({ max: CLIENTS_MAX })

  incr(
    client: string,
    done: (error: Error | null, counted?: { current: number; ttl: number }) => void,
    milliseconds = 60_000,
  ): void {
    const now = performance.now()
    const open = this.#windows.get(client)
    const window = open && open.until > now ? open : { count: 0, until: now + milliseconds }
    window.count += 1
    this.#windows.set(client, window)
    done(null, { current: window.count, ttl: window.until - now })
  }

  child(): FastifyRateLimitStore {
    return new RequestCounts()
  }
}
