import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { LoadLimits } from './settings.ts'

/** The counters of a connection pool. */
export type PoolCounts = {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** A hook that refuses requests under overload or above a rate limit, with `Retry-After`. */
export type Admit = onRequestHookHandler

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
 * server listens; `look` runs one check, for tests with a fake clock. Call it before the routes are added;
 * requests without a route are not counted.
 */
export function watchEventLoop(
  app: FastifyInstance,
  now: () => number = () => performance.now(),
): { look: () => void } {
  const routes: RouteCounts[] = []
  let started = 0
  let last = now()
  let timer: NodeJS.Timeout | undefined

  function look() {
    const late = now() - last - LOOK_MS
    if (late > LATE_MS)
      app.log.warn(
        { ms: Math.round(late), requests: recent(routes) },
        'the event loop was blocked; these requests were in hand',
      )
    for (const counts of routes) counts.ended = 0
    last = now()
  }

  app.addHook('onRoute', (route) => {
    const counts = {
      name: `${[route.method].flat().join(', ')} ${route.url}`,
      running: 0,
      ended: 0,
      latest: 0,
    }
    routes.push(counts)
    const count: onRequestHookHandler = (_request, reply, done) => {
      started += 1
      counts.latest = started
      counts.running += 1
      // Unlike Fastify's hooks, this event is emitted for every response: sent, aborted or hijacked.
      reply.raw.on('close', () => {
        counts.running -= 1
        counts.ended += 1
      })
      done()
    }
    route.onRequest = [count, ...[route.onRequest ?? []].flat()]
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

/**
 * The requests of one route: how many are running, how many ended since the last check, and the number of the latest one. No
 * collection contains the requests themselves: the tables of a `Set` that many are added to and deleted from kept every
 * request until a full garbage collection (V8 13.6).
 */
type RouteCounts = { name: string; running: number; ended: number; latest: number }

/** Returns the numbers of requests of each route that ran since the last check, the newest first. */
function recent(routes: RouteCounts[]): Record<string, number> {
  const newest = routes
    .filter(({ running, ended }) => running + ended > 0)
    .sort((a, b) => b.latest - a.latest)
    .slice(0, NAMED_MAX)
  return Object.fromEntries(newest.map(({ name, running, ended }) => [name, running + ended]))
}
