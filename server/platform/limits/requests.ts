import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { AppError } from '#server/platform/api/errors.ts'
import { networkOf, SITE_SHARE, siteOf } from '#server/platform/network.ts'

/**
 * Requests a minute from one network: far above the rate of a person with many tabs, enough for an office or for the
 * readers of a small site behind an untrusted proxy, and far below a flood.
 */
export const REQUESTS_PER_MINUTE = 1_200

/** Whether the current async context belongs to a request that has been counted. */
const counted = new AsyncLocalStorage<true>()

/** Runs internal requests on behalf of another request, which are not counted again. */
export const runUncounted = <Result>(run: () => Promise<Result>): Promise<Result> => counted.run(true, run)

/** Limits, in this process, the requests of one network to the routes that are added to the scope after this. */
export async function limitRequests(scope: FastifyInstance): Promise<void> {
  await scope.register(rateLimit, {
    max: REQUESTS_PER_MINUTE,
    timeWindow: '1 minute',
    store: RequestCounts,
    allowList: () => counted.getStore() === true,
    keyGenerator: ({ ip }) => networkOf(ip),
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(ttl),
  })
}

/** Counts, in this process, a request of a client; throws `too_many_requests` beyond `perMinute`. */
export function createRequestLimit(perMinute: number): (client: string) => void {
  const counts = new RequestCounts()
  return (client) => {
    if (counted.getStore()) return
    counts.incr(client, (_error, count) => {
      if (count && count.current > perMinute) throw tooManyRequests(count.ttl)
    })
  }
}

const tooManyRequests = (milliseconds: number) =>
  new AppError('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
    retryAfter: milliseconds / 1000,
  })

const CLIENTS_MAX = 5_000

type Window = { count: number; until: number }

/**
 * Counts the requests of each client within a window, for a limited number of clients; of one that begins with a network, also those
 * of its site. Time is monotonic: by the
 * machine's clock, a window that began before the clock was set back would last until the clock catches up.
 */
export class RequestCounts implements FastifyRateLimitStore {
  readonly #windows = new LRUCache<string, Window>({ max: CLIENTS_MAX })

  incr(
    client: string,
    done: (error: Error | null, counted?: { current: number; ttl: number }) => void,
    milliseconds = 60_000,
  ): void {
    const now = performance.now()
    const own = this.#count(client, { now, milliseconds })
    const site = siteOf(client)
    const all = site === client ? own : this.#count(site, { now, milliseconds })
    const share = Math.ceil(all.count / SITE_SHARE)
    const { until } = share > own.count ? all : own
    done(null, { current: Math.max(own.count, share), ttl: until - now })
  }

  #count(client: string, { now, milliseconds }: { now: number; milliseconds: number }): Window {
    const open = this.#windows.get(client)
    const window = open && open.until > now ? open : { count: 0, until: now + milliseconds }
    window.count += 1
    this.#windows.set(client, window)
    return window
  }

  child(): FastifyRateLimitStore {
    return new RequestCounts()
  }
}
