import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LoadLimits } from '#server/platform/settings.ts'

/** What a pool of connections says of itself. */
export type PoolCounts = {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** A hook that refuses, at once and with a time to come back, what this process could not or need not do. */
export type Admit = (request: FastifyRequest) => Promise<void>

/**
 * Watches the pool and, once it is told to begin, the event loop. That is when the work of the start is done, which
 * would count as lateness and have the first callers refused. `hasRoom` tells whether they can do more.
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
