import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LoadLimits } from './settings.ts'

/** The counters of a connection pool. */
export type PoolCounts = {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** A hook that refuses requests under overload or above a rate limit, with `Retry-After`. */
export type Admit = (request: FastifyRequest) => Promise<void>

/**
 * Monitors the connection pool and, once `begin` is called, the event loop. Call `begin` after the start, whose work would
 * count as delay, so that the first requests would be refused. `hasRoom` returns whether another request can be served.
 */
export function watchLoad(app: FastifyInstance, limits: LoadLimits, pool: PoolCounts) {
  let isLate = () => false
  async function begin() {
    // The plugin's own hook would run before those that set headers, and would refuse health checks.
    await app.register(underPressure, { maxEventLoopDelay: limits.delay, pressureHandler: () => undefined })
    isLate = () => app.isUnderPressure()
  }
  return { hasRoom: () => !isLate() && pool.waitingCount < limits.waiting, begin }
}

const LOOK_MS = 100
/** The minimum delay of the event loop that is logged. */
const LATE_MS = 500
/** The maximum number of routes in a log line. */
const NAMED_MAX = 20

/**
 * Logs when the event loop was blocked, and which requests were running in that interval: one of them is most likely
 * the cause. It logs their methods and route patterns, which contain nothing that clients send. The checks begin when the
 * server listens; `look` runs one check, for tests with a fake clock.
 */
export function watchEventLoop(
  app: FastifyInstance,
  now: () => number = () => performance.now(),
): { look: () => void } {
  const inHand = new Set<FastifyRequest>()
  /** The requests that ended since the last check, one of which may have blocked the loop. */
  let ended: FastifyRequest[] = []
  let last = now()
  let timer: NodeJS.Timeout | undefined

  function look() {
    const late = now() - last - LOOK_MS
    if (late > LATE_MS)
      app.log.warn(
        { ms: Math.round(late), requests: named([...ended, ...inHand]) },
        'the event loop was blocked; these requests were in hand',
      )
    ended = []
    last = now()
  }

  app.addHook('onRequest', (request, reply, done) => {
    inHand.add(request)
    // Unlike Fastify's hooks, this event is emitted for every response: sent, aborted or hijacked.
    reply.raw.once('close', () => {
      inHand.delete(request)
      ended.push(request)
    })
    done()
  })
  app.addHook('onListen', (done) => {
    last = now()
    timer = setInterval(look, LOOK_MS).unref()
    done()
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
  return { look }
}

/** Counts the requests of each call, the newest first. */
function named(requests: FastifyRequest[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const request of requests.toReversed()) {
    const call = `${request.method} ${request.is404 ? 'none' : (request.routeOptions.url ?? 'none')}`
    counts.set(call, (counts.get(call) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].slice(0, NAMED_MAX))
}
