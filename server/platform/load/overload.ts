import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LoadLimits } from '#server/platform/settings.ts'

/** The counters of a connection pool. */
export type PoolCounts = {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** A hook that refuses requests under overload or above a rate limit, with `Retry-After`. */
export type Admit = (request: FastifyRequest) => Promise<void>

/**
 * Watches the connection pool and, once `begin` is called, the event loop. Call `begin` after the start: its work would
 * count as delay and have the first requests refused. `hasRoom` returns whether another request can be served.
 */
export function watchLoad(app: FastifyInstance, limits: LoadLimits, pool: PoolCounts) {
  let isLate = () => false
  async function begin() {
    // Its own hook would come before those that set headers, and would refuse those who ask after our health.
    await app.register(underPressure, { maxEventLoopDelay: limits.delay, pressureHandler: () => undefined })
    isLate = () => app.isUnderPressure()
  }
  return { hasRoom: () => !isLate() && pool.waitingCount < limits.waiting, begin }
}
